export interface SessionView {
  readonly person: { readonly name: string };
  readonly expires_at: string;
  readonly issuer: string;
  readonly pin: string;
  /** This is a demonstration with a practice site of its own: there is `GET /practice`. */
  readonly practice?: true;
  readonly began: "link" | "passkey" | "outside";
  /** How many passkeys the person has. */
  readonly passkeys: number;
}

/** Beside a passkey and a one-time link, which there always are. */
export interface SignInWaysView {
  readonly outside?: { readonly title: string };
}

export interface PasskeysView {
  readonly passkeys: readonly PasskeyView[];
  /** What one that is made in this session may do: approve critical actions at once, or after a day. */
  readonly new_passkey: "counts_at_once" | "settles";
  /** This browser in words, as the name of a new one. */
  readonly suggested_label: string;
  readonly sessions: readonly SignedInView[];
  /** The newest first. */
  readonly events: readonly SignInEventView[];
}

export interface PasskeyView {
  readonly credential_id: string;
  readonly label: string;
  readonly added_at: string;
  readonly last_used_at?: string;
  /** `settling`: it signs in, and may approve critical actions from `counts_from` on, or once an older one confirms it. */
  readonly standing: "counts" | "settling";
  readonly counts_from?: string;
}

export interface SignedInView {
  readonly session_ref: string;
  readonly device: string;
  readonly began: SessionView["began"];
  readonly began_at: string;
  readonly last_seen_at: string;
  readonly this_one?: true;
}

export interface SignInEventView {
  readonly event_id: string;
  readonly kind: "link_used" | "passkey_added" | "passkey_confirmed" | "passkey_removed" | "passkey_copied";
  /** The passkey's label, or for a link the browser that used it. */
  readonly label: string;
  readonly at: string;
  readonly is_new?: true;
}

/** How the person is told of what waits for them. */
export interface ContactView {
  /** What this gateway has: mail, the operator's webhook, files in its data directory. */
  readonly channels: readonly ("email" | "webhook" | "outbox")[];
  readonly email?: { readonly address: string };
  /** An address that waits for the code which was mailed to it. */
  readonly pending?: { readonly address: string; readonly expires_at: string };
  readonly unreached_by: readonly ("email" | "webhook" | "outbox")[];
}

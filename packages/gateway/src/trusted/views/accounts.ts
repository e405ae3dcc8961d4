export interface DestinationView {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly routes: readonly string[];
}

export interface ConnectionView {
  readonly route: string;
  readonly state: "connected" | "reauthentication_required" | "disconnected";
  readonly reason?: string;
  /** What the person can do about it; absent while it is connected. */
  readonly next_step?: string;
  readonly verified_at?: string;
}

export interface AccountView {
  readonly account_ref: string;
  readonly destination: string;
  readonly destination_title: string;
  readonly origin: string;
  /** The destination's own name for the account; empty until the first sign-in. */
  readonly name: string;
  readonly connections: readonly ConnectionView[];
  readonly details: readonly AccountDetailView[];
}

export interface AccountDetailView {
  readonly ref: string;
  readonly kind: string;
  readonly label: string;
  /** The person added it here and may remove it; the others come from the site. */
  readonly own: boolean;
}

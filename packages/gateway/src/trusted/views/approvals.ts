import type { ApprovalMethod, ApprovalPolicy, TaskState, TermsMeaning } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";

export interface ApprovalView {
  readonly action_id: string;
  readonly task_id: string;
  /** The action record itself; the page draws from this and recomputes its digest. */
  readonly action: JsonObject;
  readonly action_digest: string;
  /** Disclosures (approval-evidence: base64url of `[salt, name, value]`) of the record's private members. */
  readonly disclosures: readonly string[];
  readonly meaning: TermsMeaning;
  readonly operation_title: string;
  readonly agent: string;
  readonly account: { readonly name: string; readonly destination_title: string; readonly origin: string };
  /** Who has to decide it now: the tightest of the catalogue's, the tenant's, the grant's and the record's own policy. */
  readonly policy: ApprovalPolicy;
  /**
   * While it waits under the policy `passkey`: the person's passkeys that may approve now, and where there is none yet,
   * when the first one that they have may.
   */
  readonly passkeys?: { readonly ids: readonly string[]; readonly usable_from?: string };
  /** `not_required`: nobody had to decide. `stopped`: the task ended without it, as `task_reason` says. */
  readonly status:
    | "pending"
    | "approved"
    | "denied"
    | "expired"
    | "superseded"
    | "withdrawn_by_agent"
    | "withdrawn_by_holder"
    | "stopped"
    | "not_required";
  readonly decided_at?: string;
  readonly decided_by?: ApprovalMethod;
  /** The name of the authority, where one decided. */
  readonly authority?: string;
  /** What the person noted with their decision; shown to nobody else. */
  readonly note?: string;
  /** Present when an earlier record of the same task was replaced because terms moved. */
  readonly changed_from?: JsonObject;
  /** The disclosures of that record, so that a moved address is seen as well. */
  readonly changed_from_disclosures?: readonly string[];
  /** While it waits: what this account did in the last 30 days that is equal to it, newest first, three at most. */
  readonly earlier?: readonly EarlierView[];
  /** While it waits: since the last decision the site may show this done by the person's own hand; they decide again. */
  readonly may_be_done?: true;
  /** What the agent wrote when it asked for the grant; its own words. */
  readonly purpose?: string;
  /** The task's state now, so that the result page can follow it. */
  readonly task_state: TaskState;
  readonly task_reason?: string;
}

/** An act of the account with an equal wish or the same items that was done, or may have been. */
export interface EarlierView {
  readonly task_id: string;
  readonly state: TaskState;
  readonly at: string;
  readonly amount?: { readonly total_minor: number; readonly currency: string };
}

export interface ApprovalDecision {
  readonly decision: "approved" | "denied";
  readonly action_digest: string;
  /** `display_digest` is of the display text that the page drew. A page that shows a passkey names its build. */
  readonly surface: { readonly version: string; readonly display_digest: string; readonly build_digest?: string };
  readonly reason?: string;
  /** A WebAuthn assertion, the person verified, whose challenge is `action_digest`; raw bytes in base64url. */
  readonly passkey?: {
    readonly credential_id: string;
    readonly authenticator_data: string;
    readonly client_data_json: string;
    readonly signature: string;
  };
}

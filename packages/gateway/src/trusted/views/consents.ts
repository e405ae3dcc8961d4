import type { DemandedPolicy, TaskState } from "@countersign/profile";

/** Limits of a grant (CON-3); what is left out is not limited. All amounts are in one currency. */
export interface ConsentLimits {
  /** Minor units of `currency`; the most one action may cost. */
  readonly max_total_minor?: number;
  readonly currency?: string;
  /** Rolling windows that end now: 24 hours, 7 days, 31 days, and the grant's whole life. */
  readonly periods?: Readonly<Partial<Record<ConsentPeriod, ConsentPeriodLimit>>>;
  /** The only ones that may be paid, as the site names them. */
  readonly payees?: readonly string[];
  /** The only ones that may be bought or changed, by the destination's own identifiers. */
  readonly items?: readonly string[];
  readonly hours?: ConsentHours;
}

export type ConsentPeriod = "day" | "week" | "month" | "total";

export interface ConsentPeriodLimit {
  readonly max_total_minor?: number;
  readonly currency?: string;
  readonly max_actions?: number;
}

/** Local times `HH:MM` of an IANA zone; `to` (up to `24:00`) is not within. Past midnight, `days` are those it begins on. */
export interface ConsentHours {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
}

/** What was committed under a grant, and what its limits still allow (CON-4). */
export interface ConsentUsage {
  readonly actions: number;
  /** Of them, submissions whose outcome is not known yet; they are read back even after a revocation (CON-5). */
  readonly uncertain: number;
  readonly sums: readonly { readonly currency: string; readonly total_minor: number }[];
  readonly last_used_at?: string;
  readonly left: Readonly<
    Partial<
      Record<ConsentPeriod, { readonly total_minor?: number; readonly currency?: string; readonly actions?: number }>
    >
  >;
  /** In `GET /consents/{ref}` alone; newest first. */
  readonly tasks?: readonly ConsentTask[];
}

export interface ConsentTask {
  readonly task_id: string;
  readonly operation_title: string;
  readonly state: TaskState;
  readonly created_at: string;
  /** Present when it was submitted and may have happened or did. */
  readonly amount?: { readonly total_minor: number; readonly currency: string };
}

export interface ConsentView {
  readonly consent_ref: string;
  readonly state: "requested" | "granted" | "refused" | "revoked" | "expired";
  readonly agent: string;
  readonly client_id: string;
  readonly destination: string;
  readonly destination_title: string;
  readonly account?: { readonly account_ref: string; readonly name: string };
  /** What was asked for; a granted one also has `granted`. */
  readonly asked: ConsentScope;
  readonly granted?: ConsentScope;
  readonly purpose: string;
  readonly requested_at: string;
  readonly decided_at?: string;
  readonly revoked_at?: string;
  readonly used: { readonly tasks: number; readonly submitted: number };
  readonly usage: ConsentUsage;
  readonly available_operations: readonly OperationLabel[];
  readonly available_routes: readonly string[];
}

export interface OperationLabel {
  readonly id: string;
  readonly title: string;
  readonly effect: "read" | "commit";
}

export interface ConsentScope {
  readonly operations: readonly string[];
  readonly routes: readonly string[];
  readonly limits: ConsentLimits;
  /** Who has to decide each action, beyond what is demanded anyway; only the person sets it. */
  readonly approval?: DemandedPolicy | undefined;
  readonly expires_at: string;
}

/** The person may narrow what was asked, never widen it. */
export type ConsentDecision =
  | { readonly decision: "refuse" }
  | ({ readonly decision: "grant"; readonly account_ref: string } & ConsentScope);

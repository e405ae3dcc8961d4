import type { JsonObject } from "@countersign/wire";
import type { Shop } from "../shop/control.ts";
import type { AgentAccess } from "../transport/transport.ts";

/**
 * The holder contract: how the suite acts as an account holder. The profile fixes what agents can do; how a person
 * signs in, grants and decides is each gateway's own. A gateway brings a module that exports `driver: HolderDriver`,
 * and the suite uses it with `--holder ./module.mjs`. The driver must go where a person goes: through the trusted
 * interface with the person's own session, never by a back door to the store.
 */
export interface HolderDriver {
  /** Brings the people of a run together. Called once, before the first case. */
  open(settings: DriverSettings): Promise<Cast>;
}

export interface DriverSettings {
  /** The gateway's URL, as the suite reaches it. */
  readonly gateway: string;
  /** The gateway's own name for itself; equal to `gateway` unless something stands in between. */
  readonly issuer: string;
  readonly shop: Shop;
  /** The text of `--holder-settings`, the driver's own. */
  readonly own: string;
}

export interface Cast {
  /**
   * The first holder is needed. The second must be of another tenant; without it the cases about tenants are reported
   * as not applicable.
   */
  readonly holders: readonly [Holder, ...Holder[]];
  /** The thumbprint of the log key, from where a person would take it; undefined when only `--pin` has it. */
  readonly pin: string | undefined;
  close(): Promise<void>;
}

/** A record that waits for this holder's decision, as their own page shows it. */
export interface PendingApproval {
  /** The driver's own name of the record: another one when the terms moved and the holder is asked again. */
  readonly ref: string;
  readonly taskId: string;
  /** The terms shown, in the members of the operation's catalogue entry. */
  readonly terms: JsonObject;
  /** The page says that it asks again because terms moved. */
  readonly changed: "asked_again" | "first_asked";
}

/** A request by which a decision reaches the gateway, without what makes it the holder's. */
export interface Door {
  readonly what: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The headers that prove the holder's session, kept apart. */
  readonly credentials: Readonly<Record<string, string>>;
}

export interface Holder {
  readonly name: string;
  /** Agents that act for this holder and that they have let in: at least one, two for the cases about two callers. */
  readonly agents: readonly [AgentAccess, ...AgentAccess[]];
  /** Connects an account at the practice shop, with its sign-in, and answers the account's reference. */
  connectAccount(): Promise<string>;
  grant(consentRef: string, accountRef: string): Promise<void>;
  revoke(consentRef: string): Promise<void>;
  /** The record that waits for a decision of this task; undefined when none came in `limitMs`. */
  approvalFor(taskId: string, limitMs: number): Promise<PendingApproval | undefined>;
  /** Decides on exactly the record that was shown. `refused` when the gateway does not take the decision. */
  decide(approval: PendingApproval, decision: "approved" | "denied"): Promise<"taken" | "refused">;
  /** Signs in at the shop by the hand-off of a waiting task. */
  signIn(continuationRef: string): Promise<void>;
  /** Begins a hand-off in this holder's session. */
  beginSignIn(continuationRef: string): Promise<"begun" | "refused">;
  /** The same person in another browser session; absent where the driver cannot make one. */
  elsewhere?(): Promise<Holder>;
  /** The evidence bundle of a task, as the holder downloads it; undefined while there is none. */
  bundle(taskId: string): Promise<string | undefined>;
  /** Where a decision on this record, and one on this grant request, is sent. Empty where that is not HTTP. */
  doors(approval: PendingApproval, consentRef: string): readonly Door[];
  /** Values that no agent may ever be sent: session cookies and the like. */
  secrets(): readonly string[];
}

import type { Json, JsonObject } from "@countersign/wire";
import type { Step } from "../seams/adapter.ts";
import type { Answer, HeldExchange, Session } from "../seams/session.ts";

/**
 * A route that reaches a destination by calls: something of the other side's (an MCP tool, an A2A skill) is given JSON
 * and answers JSON. What is called for an operation is bound by name *and* by the digest of its definition, so a route
 * refuses a definition that has changed before anything is sent. The other side's hints decide nothing.
 */
export interface CallingSession extends Session {
  /**
   * One call that changes nothing. The route may repeat it. A call that is bound as a commit is refused here: it can
   * only be held.
   * @throws SiteTrouble when no whole answer came back.
   */
  call(bound: BoundCall, args: JsonObject): Promise<CallAnswer>;
  /** Builds the committing call, unsent: the gateway sends it, from the boundary. */
  hold(bound: BoundCall, args: JsonObject): Promise<Step<HeldExchange>>;
}

/** What is called, as the operator bound it after looking at it. */
export interface BoundCall {
  /** The other side's own name for it: a tool, a skill. */
  readonly name: string;
  /** {@link definitionDigest} of the definition that was looked at. */
  readonly digest: string;
}

export type CallAnswer =
  /** It did what it was asked. */
  | { readonly kind: "answer"; readonly value: Json }
  /** It says that it did not: data to recognise a refusal by, and proof of nothing after a commit. */
  | { readonly kind: "error"; readonly value: Json }
  | { readonly kind: "sign_in" }
  /** The binding is not met: gone, changed, or it wants what this gateway does not give. In plain words. */
  | { readonly kind: "gap"; readonly why: string };

/**
 * Pure. What a commit's answer says, from its bytes alone; everything else about it is unknown (STA-4). Each route has
 * its own, since each has its own wire.
 */
export type ReadCallAnswer = (
  answer: Answer,
) => Extract<CallAnswer, { kind: "answer" | "error" }> | { readonly kind: "unknown" };

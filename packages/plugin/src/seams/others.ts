import type { ActionRecord } from "@countersign/profile";
import type { Instant, Json, JsonObject, Result } from "@countersign/wire";
import type { Ctx, PluginCtx } from "./ctx.ts";

/**
 * Something that an authority wants consumed with the commit, in the boundary transaction: each key once, for ever, for
 * all accounts of the gateway. So that nobody can spend another's, a key names its issuer or cannot be guessed.
 */
export interface Consume {
  readonly key: string;
}

/** How the account holder enrolled an authority. */
export interface Enrolment {
  /** What {@link Authority.enrol} answered: public parameters, such as the key that evidence is signed with. */
  readonly parameters: JsonObject;
  readonly enrolledAt: Instant;
}

/** What evidence says about one record. Without a `decision` it says nothing that counts as an approval. */
export interface AuthorityAnswer {
  readonly decision?: "approved" | "denied";
  readonly consume: readonly Consume[];
}

/**
 * Consent or a mandate from outside (seam `gateway.authority`; APR-3). The account holder enrols it, an agent may bring
 * its evidence, and the gateway asks it twice: when the evidence comes, and again just before the boundary. It answers
 * for one record and cannot see or decide anything else.
 */
export interface Authority {
  /** Its name for people. */
  readonly title: string;
  /** Judges the parameters that somebody wants to enrol it with; no I/O. Answers those that will be kept. */
  enrol(parameters: JsonObject): Result<JsonObject, string>;
  /** Changes nothing: what has to happen once is named in `consume`, and the gateway sees to it. The error is for the log. */
  verify(
    ctx: Ctx,
    evidence: Json,
    record: ActionRecord,
    enrolment: Enrolment,
  ): Promise<Result<AuthorityAnswer, string>>;
}

/** Proves to a destination who is calling: adds its signature to what leaves (seam `gateway.identity`). */
export interface IdentitySigner {
  sign(ctx: PluginCtx, request: Request): Promise<Request>;
  /** Its keys, where the operator may look at them and change them by command; `ctx` is the signer's own. */
  readonly keys?: IdentityKeys;
}

/** A key that proves who is calling, without its private half. */
export interface IdentityKey {
  readonly keyId: string;
  readonly publicJwk: JsonObject;
  /** `next` signs from `signsFrom` on; `leaving` signs no more and is listed until `listedUntil`. */
  readonly state: "signing" | "next" | "leaving";
  readonly signsFrom: Instant;
  readonly listedUntil?: Instant;
}

export type IdentityKeysProblem =
  /** The host keeps the keys elsewhere, and changes them there. */
  | "kept_elsewhere"
  /** A key that was made before does not sign yet: first its time has to come. */
  | "under_way"
  | "unknown_key"
  /** Somebody else changed them at the same moment; nothing was done. */
  | "changed_meanwhile";

export interface IdentityKeys {
  list(ctx: PluginCtx): Promise<Result<readonly IdentityKey[], IdentityKeysProblem>>;
  /** Makes a key that takes over once every verifier can know it. */
  rotate(ctx: PluginCtx): Promise<Result<IdentityKey, IdentityKeysProblem>>;
  /** Takes a key away at once, and answers the one that was made in its place. */
  withdraw(ctx: PluginCtx, keyId: string): Promise<Result<IdentityKey, IdentityKeysProblem>>;
}

/**
 * An endpoint of a plugin's own (seam `gateway.http`), keyed by {@link httpPlace}. `/trusted` cannot be claimed, nor any
 * place of the gateway's own.
 */
export interface HttpEntry {
  /** `GATEWAY_ORIGIN`, or the origin of a counterpart of its own. */
  readonly origin: string;
  readonly method: string;
  /** Fixed names and `:parameters`; the first name is fixed. */
  readonly path: string;
  /** `agent`: the gateway judges the access token in front, and the handler never sees it (AUT-3). */
  readonly auth: "public" | "agent";
  /** The path of the protected resource that tokens are for (RFC 9728); the entry's own unless it is said. */
  readonly resource?: string;
  /** `request.signal` is aborted when the caller goes away: that ends an answer, and no task. */
  handler(request: Request, ctx: PluginCtx): Promise<Response>;
}

/**
 * How agents reach the gateway (seam `gateway.binding`). `open` is given the gateway's `BindingHost`: the port, through
 * which everything goes, and who the caller of a request is. It answers the gateway's `OpenBinding`. Whoever writes one
 * names both types; the gateway alone makes the first and reads the second.
 */
export interface Binding {
  readonly id: string;
  open(host: never): object;
}

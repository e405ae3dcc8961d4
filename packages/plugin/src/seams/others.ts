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

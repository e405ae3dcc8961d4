import type { PluginCtx } from "./ctx.ts";

/** A request as the gateway received it. The address is the gateway's own: what came as `Host` says nothing. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** Every occurrence, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content's bytes; left out where nobody read them. */
  readonly body?: Uint8Array;
}

/** What a request shows of who calls. Reasons are words of the protocol's own closed list, for the log and the record. */
export type CallerFinding =
  | { readonly kind: "unsigned" }
  | {
      readonly kind: "verified";
      /** The URL whose keys were found, at which the caller's operator is known. */
      readonly agent: string;
      readonly keyId: string;
      /** Why the signature is good for reading at most: it does not cover what is asked, or could be a replay. */
      readonly weakness?: string;
    }
  /** `unverified`: nothing speaks against it, and nothing for it. `invalid`: evidence against the message. */
  | { readonly kind: "unverified" | "invalid"; readonly reason: string };

/** Judges who calls, as one protocol lets it be shown. It throws for nothing that a stranger can send. */
export interface CallerJudge {
  judge(request: ReceivedRequest): Promise<CallerFinding>;
  /** The `Accept-Signature` (RFC 9421 section 5) for a request that has not shown enough. */
  asks(request: ReceivedRequest): string;
}

/**
 * How a caller proves who operates it (seam `gateway.caller`). Opened once, when the gateway starts; its ctx reaches
 * public addresses alone, since a stranger names them. Who calls decides nothing: the access token is needed all the
 * same, and no grant, authentication or approval follows from it.
 */
export interface CallerIdentity {
  open(ctx: PluginCtx): CallerJudge;
}

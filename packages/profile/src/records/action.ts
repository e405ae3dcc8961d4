import { z } from "zod";
import { PROFILE_ID } from "../limits.ts";
import { identifier } from "../request/request.ts";
import { AGENT_CHARS_MAX } from "./limits.ts";
import { digestText, issuerUrl, memberName, originText, random128, recordObject, recordTime, word } from "./shapes.ts";

/** How the destination is reached, and by which adapter: part of what is approved (APR-2). */
export const routeRecord = z.strictObject({ kind: word, origin: originText, adapter: identifier });

/**
 * The immutable action record `countersign.action/1` (APR-2, approval-evidence section 4, decisions.md 2). Its digest is
 * what a person approves. `terms`, `parameters` and `limits` are judged by the operation's schemas; personal text
 * enters only as salted digests in `private`.
 */
export const actionRecord = z.strictObject({
  typ: z.literal("countersign.action/1"),
  profile: z.literal(PROFILE_ID),
  issuer: issuerUrl,
  action_id: identifier,
  task_id: identifier,
  /** Makes each record's digest unlike any other: WebAuthn expects an unpredictable challenge. */
  nonce: random128,
  created_at: recordTime,
  expires_at: recordTime,
  /** Pairwise pseudonym of the person. */
  account_holder: identifier,
  account_ref: identifier,
  consent_ref: identifier,
  /** The OAuth client; may be the URL of a client metadata document. */
  agent: z
    .string()
    .max(AGENT_CHARS_MAX)
    .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces"),
  /** Digest of the whole request as it came (REQ-4). */
  request_digest: digestText,
  operation: identifier,
  parameters: recordObject,
  limits: recordObject,
  route: routeRecord,
  terms: recordObject,
  private: z.record(memberName, digestText),
  observed: z.strictObject({ at: recordTime, state_digest: digestText }),
  uses: z.literal(1),
  ap2: z
    .strictObject({
      checkout_hash: digestText,
      transaction_id: digestText,
      checkout_content_digest: digestText,
      payment_content_digest: digestText,
    })
    .exactOptional(),
});

export type ActionRecord = z.infer<typeof actionRecord>;
export type RouteRecord = z.infer<typeof routeRecord>;

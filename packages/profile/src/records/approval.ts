import { z } from "zod";
import { identifier } from "../request/request.ts";
import { digestText, issuerUrl, recordTime } from "./shapes.ts";

/**
 * How the person was known when they decided. `assertion_digest` and `credential_digest` name the passkey object and
 * the credential JWS; only a passkey has them here.
 */
export const approvalAuth = z
  .strictObject({
    method: z.enum(["passkey", "session", "openid4vp", "spc"]),
    uv: z.boolean(),
    assertion_digest: digestText.exactOptional(),
    credential_digest: digestText.exactOptional(),
  })
  .refine((auth) => auth.method !== "passkey" || (auth.assertion_digest && auth.credential_digest), {
    error: "a passkey approval names its assertion and its credential",
  })
  .refine((auth) => auth.method !== "session" || !(auth.uv || auth.assertion_digest || auth.credential_digest), {
    error: "a session proves no user verification",
  });

/** The page that drew the record. A session approval of a page without a pinned build has no `build_digest`. */
export const approvalSurface = z.strictObject({
  id: identifier,
  version: identifier,
  build_digest: digestText.exactOptional(),
  display_digest: digestText,
});

/** `countersign.approval/1`: one decision on one action record (APR-3), signed by the approval service alone. */
export const approvalRecord = z
  .strictObject({
    typ: z.literal("countersign.approval/1"),
    issuer: issuerUrl,
    approval_ref: identifier,
    task_id: identifier,
    action_id: identifier,
    action_digest: digestText,
    account_holder: identifier,
    decision: z.enum(["approved", "denied"]),
    decided_at: recordTime,
    commit_before: recordTime,
    uses: z.literal(1),
    surface: approvalSurface,
    auth: approvalAuth,
  })
  .refine((record) => record.auth.method === "session" || record.surface.build_digest !== undefined, {
    error: "an approval stronger than a session names the build of the page",
    path: ["surface", "build_digest"],
  });

export type ApprovalRecord = z.infer<typeof approvalRecord>;

import { z } from "zod";
import { identifier } from "../request/request.ts";
import { digestText, issuerUrl, recordTime } from "./shapes.ts";

/**
 * How the decision was known to be the account holder's. `assertion_digest` and `credential_digest` name the passkey
 * object and the credential JWS; only a passkey has them here. `authority` names an outside authority that the holder
 * enrolled and `evidence_digest` what it showed; only the method of that name has them.
 */
export const approvalAuth = z
  .strictObject({
    method: z.enum(["passkey", "session", "authority", "openid4vp", "spc"]),
    uv: z.boolean(),
    assertion_digest: digestText.exactOptional(),
    credential_digest: digestText.exactOptional(),
    authority: identifier.exactOptional(),
    evidence_digest: digestText.exactOptional(),
  })
  .refine((auth) => auth.method !== "passkey" || (auth.assertion_digest && auth.credential_digest), {
    error: "a passkey approval names its assertion and its credential",
  })
  .refine((auth) => auth.method !== "session" || !(auth.uv || auth.assertion_digest || auth.credential_digest), {
    error: "a session proves no user verification",
  })
  .refine((auth) => auth.method !== "authority" || !(auth.uv || auth.assertion_digest || auth.credential_digest), {
    error: "an authority proves no user verification and no passkey",
  })
  .refine(
    (auth) =>
      (auth.method === "authority") === (auth.authority !== undefined) &&
      (auth.method === "authority") === (auth.evidence_digest !== undefined),
    { error: "an authority is named with its evidence, and only where it decided" },
  );

/**
 * The page that drew the record. A session approval of a page without a pinned build has no `build_digest`; where an
 * authority decided no page was drawn, and `id` says so.
 */
export const approvalSurface = z.strictObject({
  id: identifier,
  version: identifier,
  build_digest: digestText.exactOptional(),
  display_digest: digestText,
});

const DRAWN_AND_PINNED: ReadonlySet<string> = new Set(["passkey", "openid4vp", "spc"]);

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
  .refine((record) => !DRAWN_AND_PINNED.has(record.auth.method) || record.surface.build_digest !== undefined, {
    error: "an approval stronger than a session names the build of the page",
    path: ["surface", "build_digest"],
  });

export type ApprovalRecord = z.infer<typeof approvalRecord>;

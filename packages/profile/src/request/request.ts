import { parseInstant } from "@countersign/wire";
import { z } from "zod";
import { ID_CHARS_MAX, PROFILE_ID } from "../limits.ts";

z.config({ jitless: true });

/** Printable ASCII without spaces: identifiers are never shown to be read, only compared. */
export const identifier = z
  .string()
  .min(1)
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@+~-]*$/, "letters, digits and . _ : / @ + ~ - only");

/** RFC 3339 with an offset; see the wire package for what else is refused. */
export const timestamp = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text).ok, "an RFC 3339 time with an offset");

/** The request envelope (REQ-1). `parameters` are judged by the operation's own schema. */
export const requestEnvelope = z.strictObject({
  profile: z.literal(PROFILE_ID),
  request_id: identifier,
  idempotency_key: identifier,
  account_ref: identifier,
  consent_ref: identifier,
  operation: identifier,
  parameters: z.record(z.string(), z.json()),
  expires_at: timestamp,
});

export type RequestEnvelope = z.infer<typeof requestEnvelope>;

/** The members that an idempotency key is bound to (REQ-4); `request_id` names one sending and is left out. */
export function businessRecord(
  request: RequestEnvelope,
): Omit<RequestEnvelope, "profile" | "request_id" | "idempotency_key"> {
  const { account_ref, consent_ref, operation, parameters, expires_at } = request;
  return { account_ref, consent_ref, operation, parameters, expires_at };
}

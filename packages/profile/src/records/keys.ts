import { z } from "zod";
import { CREDENTIAL_ID_BYTES_MAX, KEYS_MAX } from "./limits.ts";
import { digestText, issuerUrl, recordTime } from "./shapes.ts";

const CREDENTIAL_ID_CHARS_MAX = Math.ceil((CREDENTIAL_ID_BYTES_MAX * 4) / 3);

/** Never shared and never interchangeable: the approval service, the executor, the log. */
export const KEY_ROLES = ["approval", "receipt", "log"] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** A listed key. Retired keys stay with `not_after`; a compromised one has `suspect_from` and `revoked_at`. */
export const listedKey = z
  .strictObject({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: digestText,
    y: digestText,
    alg: z.literal("ES256"),
    use: z.literal("sig"),
    /** RFC 7638 thumbprint. */
    kid: digestText,
    role: z.enum(KEY_ROLES),
    not_before: recordTime,
    not_after: recordTime,
    revoked_at: recordTime.exactOptional(),
    suspect_from: recordTime.exactOptional(),
  })
  .refine((key) => key.not_before < key.not_after, "a key is valid for some time")
  .refine((key) => (key.revoked_at === undefined) === (key.suspect_from === undefined), "both, or neither");

/** `countersign.keys/1`, signed by the log key; versions are chained by `prev`, the digest of the earlier JWS. */
export const keySetRecord = z
  .strictObject({
    typ: z.literal("countersign.keys/1"),
    issuer: issuerUrl,
    version: z.int().min(1),
    issued_at: recordTime,
    /** Empty for version 1. */
    prev: z.union([z.literal(""), digestText]),
    keys: z.array(listedKey).min(1).max(KEYS_MAX),
  })
  .refine((set) => (set.version === 1) === (set.prev === ""), "version 1 has no predecessor, later ones name it")
  .refine((set) => new Set(set.keys.map((key) => key.kid)).size === set.keys.length, "each key is listed once");

/** `countersign.revocation/1`: a grant, a passkey or an approval that no longer counts. */
export const revocationRecord = z.strictObject({
  typ: z.literal("countersign.revocation/1"),
  issuer: issuerUrl,
  what: z.enum(["consent", "credential", "approval"]),
  /** `consent_ref`, `approval_ref`, or the credential's id as the bundle's passkey writes it. */
  ref: z
    .string()
    .max(CREDENTIAL_ID_CHARS_MAX)
    .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces"),
  at: recordTime,
});

/** `countersign.checkpoint/1`: the log's size and root at a time, signed by the log key. */
export const checkpointRecord = z.strictObject({
  typ: z.literal("countersign.checkpoint/1"),
  log: issuerUrl,
  size: z.int().min(1),
  root: digestText,
  time: recordTime,
});

export type ListedKey = z.infer<typeof listedKey>;
export type KeySetRecord = z.infer<typeof keySetRecord>;
export type RevocationRecord = z.infer<typeof revocationRecord>;
export type CheckpointRecord = z.infer<typeof checkpointRecord>;

import {
  assert,
  err,
  type JsonObject,
  type JwsProblem,
  ok,
  type ParsedJws,
  parseJws,
  type Result,
  signJws,
} from "@countersign/wire";
import type { z } from "zod";
import { type ApprovalRecord, approvalRecord } from "./approval.ts";
import {
  type CheckpointRecord,
  checkpointRecord,
  type KeyRole,
  type KeySetRecord,
  keySetRecord,
  type RevocationRecord,
  revocationRecord,
} from "./keys.ts";
import { KEY_SET_BYTES_MAX } from "./limits.ts";
import { type CredentialRecord, credentialRecord } from "./passkey.ts";
import { type ReceiptRecord, receiptRecord } from "./receipt.ts";

/** One kind of signed record: its schema, the one role that may sign it, and the time at which it says it was signed. */
export interface SignedKind<T> {
  readonly kind: string;
  readonly schema: z.ZodType<T>;
  readonly role: KeyRole;
  readonly signedAt: (record: T) => string;
  readonly maxPayloadBytes?: number;
}

export const APPROVAL: SignedKind<ApprovalRecord> = {
  kind: "approval",
  schema: approvalRecord,
  role: "approval",
  signedAt: (record) => record.decided_at,
};
export const CREDENTIAL: SignedKind<CredentialRecord> = {
  kind: "credential",
  schema: credentialRecord,
  role: "approval",
  signedAt: (record) => record.enrolled_at,
};
export const REVOCATION: SignedKind<RevocationRecord> = {
  kind: "revocation",
  schema: revocationRecord,
  role: "approval",
  signedAt: (record) => record.at,
};
export const RECEIPT: SignedKind<ReceiptRecord> = {
  kind: "receipt",
  schema: receiptRecord,
  role: "receipt",
  signedAt: (record) => record.finished_at,
};
export const KEY_SET: SignedKind<KeySetRecord> = {
  kind: "keys",
  schema: keySetRecord,
  role: "log",
  signedAt: (record) => record.issued_at,
  maxPayloadBytes: KEY_SET_BYTES_MAX,
};
export const CHECKPOINT: SignedKind<CheckpointRecord> = {
  kind: "checkpoint",
  schema: checkpointRecord,
  role: "log",
  signedAt: (record) => record.time,
};

/** The custodian of a private key: answers 64 bytes r||s for the bytes it is given. The key itself never comes here. */
export interface Signer {
  /** RFC 7638 thumbprint of the key. */
  readonly kid: string;
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Signs a record of `kind` as a compact JWS.
 * @throws AssertionFailed when `record` breaks its schema or the record profile: the gateway made it.
 */
export async function signRecord<T extends object>(kind: SignedKind<T>, record: T, signer: Signer): Promise<string> {
  assert(kind.schema.safeParse(record).success, `signRecord: not a ${kind.kind} record`);
  const limits = kind.maxPayloadBytes === undefined ? {} : { maxPayloadBytes: kind.maxPayloadBytes };
  return signJws({ kind: kind.kind, payload: record as JsonObject, kid: signer.kid, sign: signer.sign }, limits);
}

export type ReadProblem = JwsProblem["code"] | "other_kind" | "not_this_record";

/** A signed record that has the right form. Nothing in it is true before its signature and its key are checked. */
export interface ReadRecord<T> {
  readonly record: T;
  readonly parsed: ParsedJws;
}

/** Reads a compact JWS as a record of `kind`: kinds are not interchangeable, unknown members are refused. */
export function readSigned<T>(kind: SignedKind<T>, jws: string): Result<ReadRecord<T>, ReadProblem> {
  const limits = kind.maxPayloadBytes === undefined ? {} : { maxPayloadBytes: kind.maxPayloadBytes };
  const parsed = parseJws(jws, limits);
  if (!parsed.ok) return err(parsed.reason.code);
  if (parsed.value.kind !== kind.kind) return err("other_kind");
  const record = kind.schema.safeParse(parsed.value.payload);
  return record.success ? ok({ record: record.data, parsed: parsed.value }) : err("not_this_record");
}

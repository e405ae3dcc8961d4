import { type Digest, digestOfText, err, ok, type Result, thumbprint, verifyJws } from "@countersign/wire";
import type { KeyRole, KeySetRecord, ListedKey } from "../records/keys.ts";
import { KEY_SET, type ReadProblem, readSigned, type SignedKind } from "../records/signed.ts";
import type { BundlePart, Refusal, RefusalCode, VerificationStep } from "./report.ts";

/** A key set that the pinned log key signed for the issuer. Made by {@link verifyKeySet} alone. */
export interface VerifiedKeySet {
  readonly record: KeySetRecord;
  readonly digest: Digest;
}

const STEP = 2;

/**
 * Step 2 of verifying offline: the pin (thumbprint of the log key) and the issuer are the whole trust anchor. The pinned
 * key must be listed with the role `log`, must have signed the set, and must have been valid when it did.
 */
export async function verifyKeySet(jws: string, pin: string, issuer: string): Promise<Result<VerifiedKeySet, Refusal>> {
  const refuse = (code: RefusalCode, step: VerificationStep = STEP) => err({ code, step, part: "keys" as const });
  const read = readSigned(KEY_SET, jws);
  if (!read.ok) return refuse(refusalOfRead(read.reason), 1);
  const { record, parsed } = read.value;
  if (record.issuer !== issuer) return refuse("wrong_issuer");
  for (const key of record.keys) {
    if ((await thumbprint(key)) !== key.kid) return refuse("bad_key");
  }
  const pinned = keyFor(record, pin, "log", record.issued_at);
  if (!pinned.ok) return refuse(pinned.reason === "unknown_key" ? "pin_not_in_keys" : pinned.reason);
  if (parsed.header.kid !== pin) return refuse("not_signed_by_pin");
  if (!(await verifyJws(parsed, pinned.value))) return refuse("bad_signature");
  return ok({ record, digest: await digestOfText(jws) });
}

type KeyProblem = Extract<RefusalCode, "unknown_key" | "wrong_role" | "key_not_valid_then" | "key_suspect">;

/** The listed key of that thumbprint, if it may sign for `role` at `at`. Record times compare as texts. */
function keyFor(set: KeySetRecord, kid: string, role: KeyRole, at: string): Result<ListedKey, KeyProblem> {
  const key = set.keys.find((listed) => listed.kid === kid);
  if (key === undefined) return err("unknown_key");
  if (key.role !== role) return err("wrong_role");
  if (key.suspect_from !== undefined && at >= key.suspect_from) return err("key_suspect");
  if (at < key.not_before || at > key.not_after) return err("key_not_valid_then");
  if (key.revoked_at !== undefined && at >= key.revoked_at) return err("key_not_valid_then");
  return ok(key);
}

export interface OpenedRecord<T> {
  readonly record: T;
  readonly digest: Digest;
  readonly key: ListedKey;
}

/** Reads a signed record and checks its key (listed, right role, valid when it says it was signed), then the signature. */
export async function openSigned<T>(
  kind: SignedKind<T>,
  jws: string,
  keys: VerifiedKeySet,
  place: { readonly step: VerificationStep; readonly part: BundlePart },
): Promise<Result<OpenedRecord<T>, Refusal>> {
  const read = readSigned(kind, jws);
  if (!read.ok) return err({ code: refusalOfRead(read.reason), step: 1, part: place.part });
  const { record, parsed } = read.value;
  const key = keyFor(keys.record, parsed.header.kid, kind.role, kind.signedAt(record));
  if (!key.ok) return err({ code: key.reason, ...place });
  if (!(await verifyJws(parsed, key.value))) return err({ code: "bad_signature", ...place });
  return ok({ record, digest: await digestOfText(jws), key: key.value });
}

function refusalOfRead(problem: ReadProblem): RefusalCode {
  switch (problem) {
    case "other_kind":
    case "kind_mismatch":
      return "wrong_kind";
    case "bad_signature":
      return "bad_signature";
    case "bad_payload":
    case "malformed":
    case "not_canonical":
    case "too_large":
      return "not_strict_json";
    case "bad_header":
    case "not_this_record":
      return "not_this_record";
  }
}

import { type Digest, digestOfText, err, ok, type Result, thumbprint, verifyJws } from "@countersign/wire";
import type { KeyRole, KeySetRecord, ListedKey } from "../records/keys.ts";
import { KEY_SET, type ReadProblem, type ReadRecord, readSigned, type SignedKind } from "../records/signed.ts";
import type { BundlePart, Refusal, RefusalCode, VerificationStep } from "./report.ts";

/** A key set that the pinned log key signed for the issuer. Made by {@link verifyKeySet} alone. */
export interface VerifiedKeySet {
  readonly record: KeySetRecord;
  readonly digest: Digest;
}

const STEP = 2;

const refuse = (code: RefusalCode, step: VerificationStep = STEP) => err({ code, step, part: "keys" as const });

/**
 * Step 2 of verifying offline: the pin (thumbprint of the log key) and the issuer are the whole trust anchor. The pinned
 * key must be listed with the role `log`, must have signed the set, and must have been valid when it did. A reader who
 * holds an older pin is led to the set by `earlier`: key sets, oldest first, each of which introduces a new log key and
 * is signed with the one before it (approval-evidence section 3).
 *
 * @param jws the key set in force, as a compact JWS.
 * @returns the set, or the first check that refused.
 */
export async function verifyKeySet(
  jws: string,
  pin: string,
  issuer: string,
  earlier: readonly string[] = [],
): Promise<Result<VerifiedKeySet, Refusal>> {
  const set = await readKeySet(jws, issuer);
  if (!set.ok) return set;
  const { record, parsed } = set.value;
  const pinned = keyFor(record, pin, "log", undefined);
  if (!pinned.ok) return refuse(pinned.reason === "unknown_key" ? "pin_not_in_keys" : pinned.reason);
  const trusted = parsed.header.kid === pin ? ok(pin) : await followLogKeys(record, parsed.header.kid, pin, earlier);
  if (!trusted.ok) return trusted;
  const signer = keyFor(record, trusted.value, "log", record.issued_at);
  if (!signer.ok) return refuse(signer.reason);
  if (!(await verifyJws(parsed, signer.value))) return refuse("bad_signature");
  return ok({ record, digest: await digestOfText(jws) });
}

async function readKeySet(jws: string, issuer: string): Promise<Result<ReadRecord<KeySetRecord>, Refusal>> {
  const read = readSigned(KEY_SET, jws);
  if (!read.ok) return refuse(refusalOfRead(read.reason), 1);
  const { record } = read.value;
  if (record.issuer !== issuer) return refuse("wrong_issuer");
  for (const key of record.keys) {
    if ((await thumbprint(key)) !== key.kid) return refuse("bad_key");
  }
  return read;
}

/**
 * Goes from the pinned log key to the one that signed the set, by sets that introduce the next key and are signed with
 * the last. Each key must have been good when it vouched, by what its own set and the final one say: a key that the
 * final set calls suspect by then has introduced nobody.
 */
async function followLogKeys(
  final: KeySetRecord,
  signer: string,
  pin: string,
  earlier: readonly string[],
): Promise<Result<string, Refusal>> {
  let trusted = pin;
  let version = 0;
  for (const jws of earlier) {
    if (trusted === signer) break;
    const link = await readKeySet(jws, final.issuer);
    if (!link.ok) return link;
    const { record, parsed } = link.value;
    // Sets from before the pinned key's time lead to it and are none of this reader's business.
    if (parsed.header.kid !== trusted) continue;
    if (record.version <= version || record.version >= final.version) return refuse("not_signed_by_pin");
    for (const set of [record, final]) {
      const key = keyFor(set, trusted, "log", record.issued_at);
      if (!key.ok) return refuse(key.reason);
      if (!(await verifyJws(parsed, key.value))) return refuse("bad_signature");
    }
    const next = successor(record, trusted);
    if (next === undefined) return refuse("not_signed_by_pin");
    trusted = next;
    version = record.version;
  }
  return trusted === signer ? ok(trusted) : refuse("not_signed_by_pin");
}

/** The log key that a set introduces: the one that will last longest, and longer than the one that signed. */
function successor(set: KeySetRecord, signer: string): string | undefined {
  const logKeys = set.keys.filter((key) => key.role === "log" && key.revoked_at === undefined);
  const lasting = logKeys.reduce<ListedKey | undefined>(
    (best, key) => (best === undefined || key.not_after > best.not_after ? key : best),
    undefined,
  );
  return lasting === undefined || lasting.kid === signer ? undefined : lasting.kid;
}

type KeyProblem = Extract<RefusalCode, "unknown_key" | "wrong_role" | "key_not_valid_then" | "key_suspect">;

/** The listed key of that thumbprint, if it may sign for `role` (at `at`, where given). Record times compare as texts. */
function keyFor(set: KeySetRecord, kid: string, role: KeyRole, at: string | undefined): Result<ListedKey, KeyProblem> {
  const key = set.keys.find((listed) => listed.kid === kid);
  if (key === undefined) return err("unknown_key");
  if (key.role !== role) return err("wrong_role");
  if (at === undefined) return ok(key);
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

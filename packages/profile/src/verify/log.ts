import { err, fromBase64Url, ok, type Result } from "@countersign/wire";
import type { EvidenceBundle, InclusionProof } from "../records/bundle.ts";
import type { CheckpointRecord } from "../records/keys.ts";
import { CHECKPOINT } from "../records/signed.ts";
import { openSigned, type VerifiedKeySet } from "./keyset.ts";
import { type Hash, leafBytes, leafHash, type TreeHead, verifyConsistency, verifyInclusion } from "./merkle.ts";
import type { Refusal, RefusalCode, VerificationStep } from "./report.ts";

/** A checkpoint that the reader kept, with the log's consistency proof between it and the bundle's. */
export interface HeldCheckpoint {
  /** Compact JWS. */
  readonly checkpoint: string;
  /** Hashes in base64url (RFC 9162 section 2.1.4), from the smaller of the two trees to the larger. */
  readonly consistency: readonly string[];
}

type LoggedPart = "keys" | "credential" | "approval" | "receipt";
const LOGGED_PARTS = ["keys", "credential", "approval", "receipt"] as const satisfies readonly LoggedPart[];

/** The digest of each signed part that the bundle holds. */
export type LoggedDigests = Readonly<Partial<Record<LoggedPart, string>>>;

const refuse = (code: RefusalCode, step: VerificationStep, part: Refusal["part"] = "log") => err({ code, step, part });

/** Step 3: the checkpoint is this issuer's log, and continues the one that the reader holds. */
export async function openCheckpoint(
  jws: string,
  keys: VerifiedKeySet,
  held: HeldCheckpoint | undefined,
): Promise<Result<CheckpointRecord, Refusal>> {
  const opened = await openSigned(CHECKPOINT, jws, keys, { step: 3, part: "log" });
  if (!opened.ok) return opened;
  const checkpoint = opened.value.record;
  if (!checkpoint.log.startsWith(`${keys.record.issuer}/`)) return refuse("wrong_log", 3);
  if (held === undefined) return ok(checkpoint);
  const earlier = await openSigned(CHECKPOINT, held.checkpoint, keys, { step: 3, part: "log" });
  if (!earlier.ok) return earlier;
  if (earlier.value.record.log !== checkpoint.log) return refuse("wrong_log", 3);
  // The bundle may be older than what the reader kept: the smaller tree is then the bundle's.
  const [older, newer] = [headOf(earlier.value.record), headOf(checkpoint)].sort((a, b) => a.size - b.size);
  const path = hashesOf(held.consistency);
  if (older === undefined || newer === undefined || path === undefined) return refuse("log_inconsistent", 3);
  return (await verifyConsistency(older, newer, path)) ? ok(checkpoint) : refuse("log_inconsistent", 3);
}

/** Step 8: every signed part is in the tree under the checkpoint, and they were logged in the order of events. */
export async function checkInclusion(
  log: NonNullable<EvidenceBundle["log"]>,
  checkpoint: CheckpointRecord,
  digests: LoggedDigests,
): Promise<Result<"included", Refusal>> {
  const head = headOf(checkpoint);
  for (const part of LOGGED_PARTS) {
    const digest = digests[part];
    const proof = log[part];
    if (digest === undefined && proof === undefined) continue;
    if (proof === undefined) return refuse("proof_missing", 8, part);
    // A proof of something that is not there means that it was taken out.
    if (digest === undefined) return refuse("proof_unexpected", 8, part);
    if (!(await isIncluded(part, digest, proof, head))) return refuse("not_in_log", 8, part);
  }
  const order = [log.credential, log.approval, log.receipt].flatMap((proof) => (proof ? [proof.index] : []));
  return order.every((index, at) => at === 0 || index > (order[at - 1] ?? 0)) ? ok("included") : refuse("log_order", 8);
}

async function isIncluded(kind: string, digest: string, proof: InclusionProof, head: TreeHead): Promise<boolean> {
  const path = hashesOf(proof.path);
  if (path === undefined) return false;
  const leaf = await leafHash(leafBytes(kind, digest));
  return verifyInclusion({ leaf, index: proof.index, size: head.size, path, root: head.root });
}

function headOf(checkpoint: CheckpointRecord): TreeHead {
  const root = fromBase64Url(checkpoint.root);
  // The schema has read it as 32 bytes; an empty root equals none.
  return { size: checkpoint.size, root: root.ok ? root.value : new Uint8Array() };
}

function hashesOf(texts: readonly string[]): readonly Hash[] | undefined {
  const hashes: Hash[] = [];
  for (const text of texts) {
    const bytes = fromBase64Url(text);
    if (!bytes.ok) return undefined;
    hashes.push(bytes.value);
  }
  return hashes;
}

import { type HeldCheckpoint, PATH_NODES_MAX } from "@countersign/profile";
import { err, isJsonObject, type JsonObject, ok, parseJson, parseJws, type Result } from "@countersign/wire";

/**
 * What the reader gave is no checkpoint, or holds no consistency proof where one is needed: then `from` and `to` are
 * the sizes to ask one for.
 */
export type HeldProblem =
  | { readonly kind: "no_checkpoint" }
  | { readonly kind: "no_proof" }
  | { readonly kind: "proof_missing"; readonly from: number; readonly to: number };

/**
 * A checkpoint that the reader kept, out of any of the forms in which one is kept: the bare JWS, what the log's own
 * address answers, or an earlier bundle. The proof that the bundle at hand continues it comes in the same file or in
 * one of its own, as the log answers it; equal sizes need none.
 */
export function readHeld(
  bundleText: string,
  heldText: string,
  proofText: string | undefined,
): Result<HeldCheckpoint, HeldProblem> {
  const held = objectOf(heldText);
  const checkpoint = held === undefined ? heldText.trim() : checkpointIn(held);
  const from = checkpoint === undefined ? undefined : sizeOf(checkpoint);
  if (checkpoint === undefined || from === undefined) return err({ kind: "no_checkpoint" });
  const proof = proofText === undefined ? held?.["consistency"] : objectOf(proofText)?.["consistency"];
  if (proofText !== undefined && proof === undefined) return err({ kind: "no_proof" });
  if (proof !== undefined) {
    const nodes = Array.isArray(proof) ? proof.filter((node) => typeof node === "string") : [];
    if (!Array.isArray(proof) || nodes.length !== proof.length || nodes.length > PATH_NODES_MAX * 2)
      return err({ kind: "no_proof" });
    return ok({ checkpoint, consistency: nodes });
  }
  const bundle = objectOf(bundleText);
  const own = bundle === undefined ? undefined : checkpointIn(bundle);
  const to = own === undefined ? undefined : sizeOf(own);
  // A bundle without a log, or one that cannot be read, is refused by the verification itself.
  if (to === undefined || to === from) return ok({ checkpoint, consistency: [] });
  return err({ kind: "proof_missing", from: Math.min(from, to), to: Math.max(from, to) });
}

const FILE_BYTES_MAX = 1024 * 1024;

function objectOf(text: string): JsonObject | undefined {
  const parsed = parseJson(text, { maxBytes: FILE_BYTES_MAX });
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** `checkpoint` of the log's answer, or `log.checkpoint` of a bundle. */
function checkpointIn(value: JsonObject): string | undefined {
  const { checkpoint, log } = value;
  if (typeof checkpoint === "string") return checkpoint;
  return log !== undefined && isJsonObject(log) ? checkpointIn(log) : undefined;
}

function sizeOf(checkpoint: string): number | undefined {
  const parsed = parseJws(checkpoint);
  const size = parsed.ok ? parsed.value.payload["size"] : undefined;
  return typeof size === "number" ? size : undefined;
}

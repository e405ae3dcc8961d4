import { err, ok, type Result } from "@countersign/wire";
import type { VerifiedSignature } from "./outcome.ts";

/** Why a signature that holds is not enough to act on. */
export type ActingProblem =
  | "no_nonce"
  | "replay_unknown"
  | "method_not_covered"
  | "path_not_covered"
  | "body_not_covered";

/**
 * Whether a verified request says what is to be done, once: a signature over `@authority` alone is a bearer token for the
 * whole origin until it expires, and is good for reading at most.
 */
export function mayActOn(signature: VerifiedSignature): Result<true, ActingProblem> {
  if (signature.nonceState === "absent") return err("no_nonce");
  if (signature.nonceState === "store_unavailable") return err("replay_unknown");
  const covers = (identifier: string) => signature.covered.includes(identifier);
  if (!covers('"@method"')) return err("method_not_covered");
  if (!covers('"@path"') && !covers('"@target-uri"')) return err("path_not_covered");
  return signature.body === "covered" || signature.body === "none" ? ok(true) : err("body_not_covered");
}

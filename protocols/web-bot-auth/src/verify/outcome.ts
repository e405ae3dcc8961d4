import type { AgentProblem } from "../agent/member.ts";
import type { Algorithm } from "../signatures/algorithm.ts";

/** Evidence against the message: it was changed, replayed, outlived, or is not what the protocol allows. */
export type InvalidReason =
  | AgentProblem
  | "malformed"
  /** Over plain HTTP anybody on the way could have read and replayed it. */
  | "plain_http"
  | "too_large"
  | "too_many_signatures"
  /** A label or a parameter twice. */
  | "duplicate"
  /** A label in only one of the two headers. */
  | "label_mismatch"
  | "target_not_covered"
  | "duplicate_component"
  | "missing_component"
  | "bad_component"
  | "missing_fields"
  | "bad_keyid"
  | "forbidden_algorithm"
  | "algorithm_mismatch"
  | "clock_ahead"
  | "expired"
  /** `expires` not after `created`, or too long after it. */
  | "window"
  | "agent_malformed"
  | "bad_signature"
  | "content_digest_mismatch"
  | "replayed";

/** No conclusion: nothing speaks against the message, and nothing for it. */
export type UnverifiedReason =
  | "unsupported"
  | "unsupported_algorithm"
  /** No `Signature-Agent`, and the key is not held. */
  | "agent_absent"
  /** Its member names nothing that this verifier resolves. */
  | "agent_ignored"
  | "directory_unavailable"
  | "key_not_in_directory"
  /** The key's own dates do not allow it now. */
  | "key_not_in_force"
  /** Its private half is printed in an RFC. */
  | "published_test_key";

/** `store_unavailable`: the signature holds, and whether this is a replay is not known. */
export type NonceState = "recorded" | "absent" | "store_unavailable";

/** What is signed holds, by a key that is published at `identifier`. Nothing else about anybody follows from it. */
export interface VerifiedSignature {
  readonly outcome: "verified";
  readonly label: string;
  readonly keyId: string;
  readonly algorithm: Algorithm;
  /** The URL whose keys were fetched, or `thumbprint:<keyid>` for a key that was held. */
  readonly identifier: string;
  /** Only where the URL speaks for a domain. */
  readonly domain?: string;
  /** Serialised identifiers, as they were signed. */
  readonly covered: readonly string[];
  /** Unix seconds. */
  readonly createdS: number;
  readonly expiresS: number;
  readonly nonceState: NonceState;
  /** `covered`: the digest is signed and fits. `not_covered`: there is content that nobody signed. */
  readonly body: "covered" | "not_covered" | "none" | "not_read";
  /** The member of `Signature-Agent` has another key than the signature's label. */
  readonly labelMismatch: boolean;
  /** `stale`: the directory could not be asked since these keys went out of date. */
  readonly keys: "held" | "fresh" | "stale";
}

export interface UnverifiedSignature {
  readonly outcome: "unverified";
  readonly label: string;
  readonly reason: UnverifiedReason;
}

export interface InvalidSignature {
  readonly outcome: "invalid";
  /** Missing when the headers could not be told apart into signatures. */
  readonly label?: string;
  readonly reason: InvalidReason;
}

export type SignatureResult = VerifiedSignature | UnverifiedSignature | InvalidSignature;

/**
 * `unsigned` is no outcome of a signature: there was none of this protocol, and its absence proves nothing. Otherwise
 * each signature has its own result; one that fails takes nothing from another. `outcome` is the best of them.
 */
export interface Verification {
  readonly outcome: "unsigned" | "verified" | "unverified" | "invalid";
  readonly results: readonly SignatureResult[];
}

export function verificationOf(results: readonly SignatureResult[]): Verification {
  const has = (outcome: SignatureResult["outcome"]) => results.some((result) => result.outcome === outcome);
  if (results.length === 0) return { outcome: "unsigned", results };
  // What is invalid is told before what is merely unknown; a signature of another signer that holds stands for itself.
  const outcome = has("verified") ? "verified" : has("invalid") ? "invalid" : "unverified";
  return { outcome, results };
}

/** The signatures that hold, each with whom it is attributed to. */
export function verifiedOf(verification: Verification): readonly VerifiedSignature[] {
  return verification.results.filter((result) => result.outcome === "verified");
}

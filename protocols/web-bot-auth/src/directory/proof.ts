import { err, ok, type Result } from "@countersign/wire";
import type { PublicKey } from "../keys/public-key.ts";
import { SKEW_S } from "../limits.ts";
import { DIRECTORY_TAG } from "../profile.ts";
import { ALGORITHMS } from "../signatures/algorithm.ts";
import { type Candidate, readCandidate } from "../signatures/candidate.ts";
import { judgeContentDigest } from "../signatures/content-digest.ts";
import { type ParsedInput, parseSignatures } from "../signatures/fields.ts";
import { fieldOf, type HttpResponse } from "../signatures/message.ts";
import { verifyMessage } from "../signatures/rfc9421.ts";

export type ProofProblem =
  | "malformed"
  | "not_covered"
  | "clock_ahead"
  | "expired"
  | "content_digest_mismatch"
  | "unknown_key"
  | "bad_signature";

/** A key whose holder signed the directory that lists it, and until when that counts. */
export interface Possession {
  readonly keyId: string;
  readonly createdS: number;
  readonly expiresS: number;
}

/**
 * Which keys of a directory are proven to be held by whoever published it. Each signature is judged by itself; one that
 * fails proves nothing, and a key that you fetched from its own URL is usable without (draft -00 section 5.3). Needed
 * before keys are attributed that came through somebody's list.
 */
export async function directoryPossession(
  response: HttpResponse,
  body: Uint8Array,
  {
    keys,
    nowS,
    skewS = SKEW_S,
  }: { readonly keys: ReadonlyMap<string, PublicKey>; readonly nowS: number; readonly skewS?: number },
): Promise<readonly Result<Possession, ProofProblem>[]> {
  const signatureInput = fieldOf(response.headers, "signature-input");
  const signature = fieldOf(response.headers, "signature");
  if (signatureInput === undefined || signature === undefined) return [];
  const parsed = parseSignatures(signatureInput, signature);
  if (!parsed.ok) return [err("malformed")];
  const results: Result<Possession, ProofProblem>[] = [];
  for (const [label, input] of parsed.value.inputs) {
    if (input.parameters.get("tag") !== DIRECTORY_TAG) continue;
    const proof = parsed.value.signatures.get(label);
    results.push(await judge(label, input, { response, body, keys, nowS, skewS, signature: proof }));
  }
  return results;
}

interface Judged {
  readonly response: HttpResponse;
  readonly body: Uint8Array;
  readonly keys: ReadonlyMap<string, PublicKey>;
  readonly nowS: number;
  readonly skewS: number;
  readonly signature: Uint8Array | undefined;
}

async function judge(label: string, input: ParsedInput, given: Judged): Promise<Result<Possession, ProofProblem>> {
  const read = readCandidate(label, input, "response");
  if (!read.ok) return err("malformed");
  const candidate = read.value;
  if (!coversWhatItMust(candidate)) return err("not_covered");
  // No longest window here: a proof counts for redistribution alone, and only until it expires.
  if (candidate.createdS > given.nowS + given.skewS) return err("clock_ahead");
  if (given.nowS > candidate.expiresS + given.skewS) return err("expired");
  const digest = fieldOf(given.response.headers, "content-digest");
  if (digest === undefined || (await judgeContentDigest(digest, given.body)) !== "fits")
    return err("content_digest_mismatch");
  const key = given.keys.get(candidate.keyId);
  if (key === undefined) return err("unknown_key");
  const verified = await verifyMessage(given.response, {
    candidate,
    signature: given.signature,
    algorithms: ALGORITHMS,
    resolve: async () => ok(key.verifier),
  });
  if (!verified.ok) return err("bad_signature");
  return ok({ keyId: key.keyId, createdS: candidate.createdS, expiresS: candidate.expiresS });
}

function coversWhatItMust({ components }: Candidate): boolean {
  const authority = components.some(({ name, of }) => name === "@authority" && of === "request");
  return (
    authority &&
    components.some(({ name, of, key }) => name === "content-digest" && of === undefined && key === undefined)
  );
}

import { type HttpRequest, memoryNonces, type NonceState, type NonceStore, nonceKey } from "@countersign/web-bot-auth";
import {
  type Candidate,
  fieldOf,
  judgeTime,
  type ParsedInput,
  parseSignatures,
  readCandidate,
  verifyMessage,
} from "@countersign/web-bot-auth/signatures";
import { err, ok, type Result } from "@countersign/wire";
import { type AgentKey, TAP_ALGORITHMS, type TapAlgorithm } from "../keys/agent-key.ts";
import type { AgentKeyAnswer, AgentKeySource } from "../keys/source.ts";
import { CANDIDATES_MAX, SKEW_S, WINDOW_MAX_S } from "../limits.ts";
import { type Kind, kindOf } from "./kinds.ts";

export type TapInvalid =
  | "malformed"
  | "too_large"
  | "duplicate"
  | "label_mismatch"
  | "too_many_signatures"
  | "bad_component"
  | "duplicate_component"
  | "missing_component"
  | "missing_fields"
  | "not_covered"
  | "window"
  | "expired"
  | "clock_ahead"
  | "algorithm_mismatch"
  | "bad_signature"
  | "replayed";
export type TapUnverified = "unknown_agent" | "keys_unavailable" | "unsupported" | "unsupported_algorithm";

export interface TapVerified {
  readonly outcome: "verified";
  readonly kind: Kind;
  readonly label: string;
  readonly keyId: string;
  /** The name of the source that lists the key; it says no more about the agent than that source does. */
  readonly keySource: string;
  readonly key: AgentKey;
  readonly algorithm: TapAlgorithm;
  readonly nonce: string;
  readonly nonceState: Exclude<NonceState, "absent">;
  readonly createdS: number;
  readonly expiresS: number;
}

export type TapResult =
  | TapVerified
  | { readonly outcome: "unverified"; readonly label: string; readonly reason: TapUnverified }
  | { readonly outcome: "invalid"; readonly label?: string; readonly reason: TapInvalid };

/**
 * `none`: no signature with one of the two tags, which is no error. `kind` is what the verified signatures come to:
 * both kinds at once is ambiguous and opens no more than browsing does.
 */
export interface TapVerification {
  readonly outcome: "none" | "verified" | "unverified" | "invalid";
  readonly kind?: Kind;
  readonly results: readonly TapResult[];
}

export interface TapVerifierOptions {
  /** Asked in their order; the first that lists the key is named. */
  readonly sources: readonly AgentKeySource[];
  readonly nonces?: NonceStore;
  readonly skewS?: number;
  readonly now?: () => number;
}

export interface TapVerifier {
  verify(request: HttpRequest): Promise<TapVerification>;
}

interface Rules {
  readonly sources: readonly AgentKeySource[];
  readonly nonces: NonceStore;
  readonly skewS: number;
  readonly nowS: () => number;
}

export function createTapVerifier(options: TapVerifierOptions): TapVerifier {
  const { now = Date.now, skewS = SKEW_S, sources } = options;
  const nonces = options.nonces ?? memoryNonces({ now });
  return { verify: (request) => verify(request, { sources, nonces, skewS, nowS: () => Math.floor(now() / 1000) }) };
}

/** A paying route takes a verified paying signature whose replay is known to be none; method and query are not signed. */
export function mayPay(verification: TapVerification): Result<TapVerified, "not_paying" | "replay_unknown"> {
  const paying = verification.kind === "paying" ? verification.results.find(isPaying) : undefined;
  if (paying === undefined) return err("not_paying");
  return paying.nonceState === "recorded" ? ok(paying) : err("replay_unknown");
}

function isPaying(result: TapResult): result is TapVerified {
  return result.outcome === "verified" && result.kind === "paying";
}

async function verify(request: HttpRequest, rules: Rules): Promise<TapVerification> {
  const headers = [...request.headers];
  const signatureInput = fieldOf(headers, "signature-input");
  const signature = fieldOf(headers, "signature");
  if (signatureInput === undefined && signature === undefined) return { outcome: "none", results: [] };
  if (signatureInput === undefined || signature === undefined) return whole("label_mismatch");
  const parsed = parseSignatures(signatureInput, signature);
  if (!parsed.ok) return whole(parsed.reason);
  const ours = [...parsed.value.inputs].flatMap(([label, input]) => {
    const kind = kindOf(input.parameters.get("tag"));
    return kind === undefined ? [] : [{ label, input, kind }];
  });
  if (ours.length === 0) return { outcome: "none", results: [] };
  if (ours.length > CANDIDATES_MAX) return whole("too_many_signatures");
  const message = { ...request, headers };
  const results: TapResult[] = [];
  for (const one of ours)
    results.push(await judge(one, message, { signature: parsed.value.signatures.get(one.label), rules }));
  return summed(results);
}

async function judge(
  { label, input, kind }: { readonly label: string; readonly input: ParsedInput; readonly kind: Kind },
  message: HttpRequest,
  { signature, rules }: { readonly signature: Uint8Array | undefined; readonly rules: Rules },
): Promise<TapResult> {
  const nowS = rules.nowS();
  const read = complete(label, input);
  if (!read.ok) {
    const { reason } = read;
    if (reason === "unsupported" || reason === "unsupported_algorithm") return { outcome: "unverified", label, reason };
    return { outcome: "invalid", label, reason };
  }
  const candidate = read.value;
  const time = judgeTime(candidate, { nowS, skewS: rules.skewS, windowMaxS: WINDOW_MAX_S });
  if (!time.ok) return { outcome: "invalid", label, reason: time.reason };
  const verified = await verifyMessage(message, {
    candidate,
    signature,
    algorithms: TAP_ALGORITHMS,
    resolve: () => keyFor(candidate, rules),
  });
  if (!verified.ok) return failed(label, verified.reason);
  const { key, source } = verified.value;
  const nonceState = await record(candidate, rules);
  if (nonceState === "replayed") return { outcome: "invalid", label, reason: "replayed" };
  return {
    outcome: "verified",
    kind,
    label,
    keyId: candidate.keyId,
    keySource: source,
    key,
    algorithm: candidate.algorithm,
    nonce: candidate.nonce,
    nonceState,
    createdS: candidate.createdS,
    expiresS: candidate.expiresS,
  };
}

interface Complete extends Candidate {
  readonly nonce: string;
  readonly algorithm: TapAlgorithm;
}

type Incomplete =
  | "malformed"
  | "too_large"
  | "bad_component"
  | "duplicate_component"
  | "missing_fields"
  | "not_covered"
  | "unsupported"
  | "unsupported_algorithm";

/** All eight: two components and six parameters. */
function complete(label: string, input: ParsedInput): Result<Complete, Incomplete> {
  const read = readCandidate(label, input);
  if (!read.ok) return read;
  const { nonce, algorithm, components } = read.value;
  if (nonce === undefined || algorithm === undefined) return err("missing_fields");
  const covers = (name: string) => components.some((one) => one.name === name);
  if (!covers("@authority") || !covers("@path")) return err("not_covered");
  const known = TAP_ALGORITHMS.find((one) => one === algorithm);
  return known === undefined ? err("unsupported_algorithm") : ok({ ...read.value, nonce, algorithm: known });
}

type Unfound =
  | { readonly outcome: "unverified"; readonly reason: TapUnverified }
  | { readonly outcome: "invalid"; readonly reason: TapInvalid };

async function keyFor(candidate: Complete, { sources }: Rules) {
  let unavailable = false;
  for (const source of sources) {
    const answer: AgentKeyAnswer = await source.find(candidate.keyId).catch(() => ({ kind: "unavailable" }));
    if (answer.kind === "unavailable") unavailable = true;
    if (answer.kind !== "found") continue;
    const verifier = answer.key.verifierFor(candidate.algorithm);
    if (verifier === undefined) return err<Unfound>({ outcome: "invalid", reason: "algorithm_mismatch" });
    return ok({ ...verifier, key: answer.key, source: source.name });
  }
  return err<Unfound>({ outcome: "unverified", reason: unavailable ? "keys_unavailable" : "unknown_agent" });
}

type Failure = TapInvalid | "unsupported" | { readonly resolver: Unfound };

function failed(label: string, reason: Failure): TapResult {
  if (typeof reason === "object") return { ...reason.resolver, label };
  if (reason === "unsupported") return { outcome: "unverified", label, reason };
  return { outcome: "invalid", label, reason };
}

/** By key, tag and nonce: signatures of one message share the nonce on purpose. */
async function record(
  candidate: Complete,
  { nonces, skewS }: Rules,
): Promise<"recorded" | "store_unavailable" | "replayed"> {
  const { tag, keyId, nonce, expiresS } = candidate;
  const key = await nonceKey({ tag, identifier: keyId, nonce });
  const answer = await nonces
    .record({ key, identifier: keyId, expiresAtMs: (expiresS + skewS + 1) * 1000 })
    .catch(() => "full" as const);
  if (answer === "seen") return "replayed";
  return answer === "full" ? "store_unavailable" : "recorded";
}

function summed(results: readonly TapResult[]): TapVerification {
  const verified = results.filter((one) => one.outcome === "verified");
  const [first] = verified;
  if (first === undefined)
    return { outcome: results.some((one) => one.outcome === "invalid") ? "invalid" : "unverified", results };
  const kinds = new Set(verified.map(({ kind }) => kind));
  return { outcome: "verified", kind: kinds.size > 1 ? "browsing" : first.kind, results };
}

function whole(reason: TapInvalid): TapVerification {
  return { outcome: "invalid", results: [{ outcome: "invalid", reason }] };
}

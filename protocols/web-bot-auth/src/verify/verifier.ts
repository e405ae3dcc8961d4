import { err, ok, type Result } from "@countersign/wire";
import { DISCOVERIES, type Discovery } from "../agent/discovery.ts";
import { parseSignatureAgent, type SignatureAgent } from "../agent/header.ts";
import { type AgentRules, type AttributedMember, attribute } from "../agent/member.ts";
import { isLoopbackHttp } from "../agent/url.ts";
import { isInForce, type PublicKey } from "../keys/public-key.ts";
import type { KeyAnswer, KeySource } from "../keys/source.ts";
import { PUBLISHED_TEST_KEYS } from "../keys/test-keys.ts";
import { CANDIDATES_MAX, SKEW_S, URL_MAX_CHARS, WINDOW_MAX_S } from "../limits.ts";
import { DEFAULT_PROFILE, type DraftProfile, type PlainHttp, TAG } from "../profile.ts";
import { memoryNonces, type NonceStore, nonceKey } from "../replay/nonce-store.ts";
import { ALGORITHMS, type Algorithm } from "../signatures/algorithm.ts";
import { type Candidate, judgeAlgorithm, judgeTime, readCandidate } from "../signatures/candidate.ts";
import { judgeContentDigest } from "../signatures/content-digest.ts";
import { type ParsedInput, type ParsedSignatures, parseSignatures } from "../signatures/fields.ts";
import { fieldOf, type HttpRequest } from "../signatures/message.ts";
import { verifyMessage } from "../signatures/rfc9421.ts";
import { readTarget } from "../signatures/target.ts";
import {
  type InvalidReason,
  type NonceState,
  type SignatureResult,
  type UnverifiedReason,
  type Verification,
  type VerifiedSignature,
  verificationOf,
} from "./outcome.ts";

// A request goes through what needs no network first: form, coverage, parameters, time, whose member it is, its digest,
// its base. Only then a key is looked up, by (URL, key); then the signature; and only what holds is recorded against
// replay, so that nobody fills the store with junk. Whatever a stranger sends is answered, never thrown.

export interface VerifierOptions {
  /** Looks keys up at the URL that a signer names; without it only `held` keys verify. */
  readonly keys?: KeySource;
  /** Keys that you hold already, by thumbprint: for signers that name no URL. */
  readonly held?: readonly PublicKey[];
  /** This process's memory unless another is given. */
  readonly nonces?: NonceStore;
  readonly profile?: DraftProfile;
  readonly discoveries?: readonly Discovery[];
  readonly legacyString?: AgentRules["legacyString"];
  readonly wellKnownUrl?: AgentRules["wellKnownUrl"];
  readonly plainHttp?: PlainHttp;
  readonly algorithms?: readonly Algorithm[];
  /** Keys that RFCs print the private half of. Only tests trust them. */
  readonly testKeys?: "refused" | "trusted";
  readonly skewS?: number;
  readonly windowMaxS?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

export interface Verifier {
  /** One result for each signature of this protocol; `unsigned` when there is none. Answer strangers generically. */
  verify(request: HttpRequest): Promise<Verification>;
}

interface Rules extends AgentRules {
  readonly keys: KeySource | undefined;
  readonly held: ReadonlyMap<string, PublicKey>;
  readonly nonces: NonceStore;
  readonly algorithms: readonly Algorithm[];
  readonly testKeys: "refused" | "trusted";
  readonly skewS: number;
  readonly windowMaxS: number;
  readonly nowS: () => number;
}

export function createVerifier(options: VerifierOptions = {}): Verifier {
  const { now = Date.now } = options;
  const rules: Rules = {
    keys: options.keys,
    held: new Map((options.held ?? []).map((key) => [key.keyId, key])),
    nonces: options.nonces ?? memoryNonces({ now }),
    profile: options.profile ?? DEFAULT_PROFILE,
    discoveries: options.discoveries ?? DISCOVERIES,
    legacyString: options.legacyString ?? "refused",
    wellKnownUrl: options.wellKnownUrl ?? "ignored",
    plainHttp: options.plainHttp ?? "refused",
    algorithms: options.algorithms ?? ALGORITHMS,
    testKeys: options.testKeys ?? "refused",
    skewS: options.skewS ?? SKEW_S,
    windowMaxS: options.windowMaxS ?? WINDOW_MAX_S,
    nowS: () => Math.floor(now() / 1000),
  };
  return { verify: (request) => verify(request, rules) };
}

async function verify(request: HttpRequest, rules: Rules): Promise<Verification> {
  const headers = [...request.headers];
  const signatureInput = fieldOf(headers, "signature-input");
  const signature = fieldOf(headers, "signature");
  if (signatureInput === undefined && signature === undefined) return verificationOf([]);
  if (signatureInput === undefined || signature === undefined) return refusedWhole("label_mismatch");
  const parsed = parseSignatures(signatureInput, signature);
  if (!parsed.ok) return refusedWhole(parsed.reason);
  // By the tag, never by the label, which anybody on the way may change.
  const ours = [...parsed.value.inputs].filter(([, input]) => input.parameters.get("tag") === TAG);
  if (ours.length === 0) return verificationOf([]);
  if (ours.length > CANDIDATES_MAX) return refusedWhole("too_many_signatures");
  const target = targetProblem(request.url, rules.plainHttp);
  if (target !== undefined) return refusedWhole(target);
  const message: Message = {
    request: { ...request, headers },
    parsed: parsed.value,
    agentField: fieldOf(headers, "signature-agent"),
  };
  const results: SignatureResult[] = [];
  for (const [label, input] of ours) results.push(await judge(label, input, message, rules));
  return verificationOf(results);
}

interface Message {
  readonly request: HttpRequest;
  readonly parsed: ParsedSignatures;
  readonly agentField: string | undefined;
}

type Failed =
  | { readonly outcome: "invalid"; readonly reason: InvalidReason }
  | { readonly outcome: "unverified"; readonly reason: UnverifiedReason };

async function judge(label: string, input: ParsedInput, message: Message, rules: Rules): Promise<SignatureResult> {
  const nowS = rules.nowS();
  const candidate = candidateOf(label, input, { nowS, rules });
  if (!candidate.ok) return { ...candidate.reason, label };
  const agent = agentOf(message.agentField, candidate.value, rules);
  if (!agent.ok) return { ...invalid(agent.reason), label };
  const body = await bodyOf(message.request, candidate.value);
  if (!body.ok) return { ...body.reason, label };
  const signature = message.parsed.signatures.get(label);
  const verified = await verifyMessage(message.request, {
    candidate: candidate.value,
    signature,
    algorithms: rules.algorithms,
    resolve: async () => {
      const found = await keyOf(candidate.value, agent.value, { nowS, rules });
      return found.ok ? ok({ ...found.value.key.verifier, found: found.value }) : found;
    },
  });
  if (!verified.ok) return { ...problemOf(verified.reason), label };
  const { found } = verified.value;
  const use = { candidate: candidate.value, identifier: found.identifier, signature };
  const nonceState = await recordUse(use, rules);
  if (nonceState === "replayed") return { ...invalid("replayed"), label };
  return verifiedResult({ candidate: candidate.value, agent: agent.value, found, nonceState, body: body.value });
}

/** Form, coverage, parameters, algorithm and time. */
function candidateOf(
  label: string,
  input: ParsedInput,
  { nowS, rules }: { readonly nowS: number; readonly rules: Rules },
): Result<Candidate, Failed> {
  const read = readCandidate(label, input);
  if (!read.ok) return err(read.reason === "unsupported" ? unverified("unsupported") : invalid(read.reason));
  const candidate = read.value;
  const targets = candidate.components.some(({ name }) => name === "@authority" || name === "@target-uri");
  if (!targets) return err(invalid("target_not_covered"));
  if (!KEY_ID.test(candidate.keyId)) return err(invalid("bad_keyid"));
  const algorithm = judgeAlgorithm(candidate.algorithm);
  if (!algorithm.ok)
    return err(algorithm.reason === "forbidden_algorithm" ? invalid(algorithm.reason) : unverified(algorithm.reason));
  const time = judgeTime(candidate, { nowS, skewS: rules.skewS, windowMaxS: rules.windowMaxS });
  return time.ok ? ok(candidate) : err(invalid(time.reason));
}

/** Undefined where the message names nobody. */
function agentOf(
  field: string | undefined,
  candidate: Candidate,
  rules: Rules,
): Result<AttributedMember | undefined, InvalidReason> {
  if (field === undefined) return ok(undefined);
  const agent: Result<SignatureAgent, "malformed"> = parseSignatureAgent(field);
  return agent.ok ? attribute(agent.value, candidate, rules) : err("agent_malformed");
}

async function bodyOf(request: HttpRequest, candidate: Candidate): Promise<Result<VerifiedSignature["body"], Failed>> {
  const { body } = request;
  const covers = candidate.components.some(({ name, key }) => name === "content-digest" && key === undefined);
  if (body === undefined) return ok("not_read");
  const field = covers ? fieldOf(request.headers, "content-digest") : undefined;
  if (field === undefined) return ok(body.length === 0 ? "none" : "not_covered");
  const answer = await judgeContentDigest(field, body);
  if (answer === "fits") return ok("covered");
  return err(answer === "unsupported" ? unverified("unsupported") : invalid("content_digest_mismatch"));
}

interface FoundKey {
  readonly key: PublicKey;
  readonly identifier: string;
  readonly age: VerifiedSignature["keys"];
}

async function keyOf(
  candidate: Candidate,
  agent: AttributedMember | undefined,
  { nowS, rules }: { readonly nowS: number; readonly rules: Rules },
): Promise<Result<FoundKey, Failed>> {
  const found = agent === undefined ? heldKey(candidate.keyId, rules) : await placedKey(candidate.keyId, agent, rules);
  if (!found.ok) return err(unverified(found.reason));
  const { key } = found.value;
  if (rules.testKeys === "refused" && PUBLISHED_TEST_KEYS.has(key.keyId)) return err(unverified("published_test_key"));
  if (isInForce(key, { nowS, skewS: rules.skewS }) !== "in_force") return err(unverified("key_not_in_force"));
  if (!rules.algorithms.includes(key.algorithm)) return err(unverified("unsupported_algorithm"));
  const fits = candidate.algorithm === undefined || candidate.algorithm === key.algorithm;
  return fits ? found : err(invalid("algorithm_mismatch"));
}

function heldKey(keyId: string, rules: Rules): Result<FoundKey, UnverifiedReason> {
  const key = rules.held.get(keyId);
  if (key === undefined) return err("agent_absent");
  return ok({ key, identifier: `thumbprint:${keyId}`, age: "held" });
}

async function placedKey(
  keyId: string,
  { place }: AttributedMember,
  rules: Rules,
): Promise<Result<FoundKey, UnverifiedReason>> {
  if (place === undefined) return err("agent_ignored");
  if (rules.keys === undefined) return err("directory_unavailable");
  // A source that throws says as little as one that cannot reach the place.
  const answer: KeyAnswer = await rules.keys.find(place, keyId).catch(() => ({ kind: "unavailable" }));
  if (answer.kind === "unavailable") return err("directory_unavailable");
  if (answer.kind === "absent" || answer.key.keyId !== keyId) return err("key_not_in_directory");
  return ok({ key: answer.key, identifier: place.identifier, age: answer.age });
}

async function recordUse(
  use: { readonly candidate: Candidate; readonly identifier: string; readonly signature: Uint8Array | undefined },
  rules: Rules,
): Promise<NonceState | "replayed"> {
  const { candidate, identifier, signature = new Uint8Array() } = use;
  const key = await nonceKey({ tag: candidate.tag, identifier, nonce: candidate.nonce ?? signature });
  // Times are judged in whole seconds: the last in which the signature is taken has to be over.
  const expiresAtMs = (candidate.expiresS + rules.skewS + 1) * 1000;
  const answer = await rules.nonces.record({ key, identifier, expiresAtMs }).catch(() => "full" as const);
  if (answer === "seen") return "replayed";
  if (candidate.nonce === undefined) return "absent";
  return answer === "full" ? "store_unavailable" : "recorded";
}

function verifiedResult(parts: {
  readonly candidate: Candidate;
  readonly agent: AttributedMember | undefined;
  readonly found: FoundKey;
  readonly nonceState: NonceState;
  readonly body: VerifiedSignature["body"];
}): VerifiedSignature {
  const { candidate, agent, found, nonceState, body } = parts;
  const domain = agent?.place?.domain;
  return {
    outcome: "verified",
    label: candidate.label,
    keyId: candidate.keyId,
    algorithm: found.key.algorithm,
    identifier: found.identifier,
    ...(domain === undefined ? {} : { domain }),
    covered: candidate.components.map(({ identifier }) => identifier),
    createdS: candidate.createdS,
    expiresS: candidate.expiresS,
    nonceState,
    body,
    labelMismatch: agent?.labelMismatch ?? false,
    keys: found.age,
  };
}

const KEY_ID = /^[A-Za-z0-9_-]{43}$/;

function targetProblem(url: string, plainHttp: PlainHttp): "malformed" | "plain_http" | undefined {
  const target = url.length > URL_MAX_CHARS * 4 ? undefined : readTarget(url);
  if (target === undefined) return "malformed";
  const { protocol } = target.url;
  if (protocol === "https:") return undefined;
  if (protocol !== "http:") return "malformed";
  return plainHttp === "loopback" && isLoopbackHttp(target.url) ? undefined : "plain_http";
}

type Problem = Exclude<
  Awaited<ReturnType<typeof verifyMessage<PublicKey["verifier"], Failed>>>,
  { ok: true }
>["reason"];

function problemOf(problem: Problem): Failed {
  if (typeof problem === "object") return problem.resolver;
  return problem === "unsupported" ? unverified(problem) : invalid(problem);
}

function invalid(reason: InvalidReason): Failed & { readonly outcome: "invalid" } {
  return { outcome: "invalid", reason };
}

function unverified(reason: UnverifiedReason): Failed & { readonly outcome: "unverified" } {
  return { outcome: "unverified", reason };
}

function refusedWhole(reason: InvalidReason): Verification {
  return verificationOf([invalid(reason)]);
}

import { assert, err, ok, type Result } from "@countersign/wire";
import { parseSignatureAgent } from "../agent/header.ts";
import { agentUrl, isLoopbackHttp } from "../agent/url.ts";
import type { SigningKey } from "../keys/signing-key.ts";
import { FIELD_MAX_CHARS, NONCE_BYTES, SIGNED_FOR_MAX_S, SIGNED_FOR_S } from "../limits.ts";
import { DEFAULT_PROFILE, DIRECTORY_PATH, type DraftProfile, type PlainHttp, TAG } from "../profile.ts";
import type { BaseProblem, Component } from "../signatures/base.ts";
import { contentDigest, judgeContentDigest } from "../signatures/content-digest.ts";
import { parseSignatures } from "../signatures/fields.ts";
import { type FieldLine, fieldOf, type HttpRequest } from "../signatures/message.ts";
import { signMessage } from "../signatures/rfc9421.ts";
import { base64 } from "../signatures/structured.ts";
import { readTarget, type Target } from "../signatures/target.ts";

/** Where the signer's public keys are: an origin whose well-known directory lists them, a JWK Set, or a card. */
export type SignerAgent =
  | { readonly type: "directory"; readonly origin: string }
  | { readonly type: "jwks_uri" | "cimd"; readonly url: string };

export interface SignOptions {
  readonly key: SigningKey;
  readonly agent: SignerAgent;
  /**
   * The revision that the receiver reads. With several, the request carries a signature for each, under labels of their
   * own: no single member satisfies two.
   */
  readonly profiles?: readonly DraftProfile[];
  readonly plainHttp?: PlainHttp;
  /** How long it may be used: 60 s unless said, 300 at most. */
  readonly lifetimeS?: number;
  /** Further header fields to cover; each has to be there. */
  readonly alsoCover?: readonly string[];
  /** Of this very request; random unless another signature of it brings one, or its receiver asked for one. */
  readonly nonce?: string;
  readonly now?: () => number;
}

export type SignProblem =
  /** A signature in the clear is anybody's. */
  | "plain_http"
  | "bad_target"
  /** The receivers of this revision do not read this kind of agent. */
  | "agent_not_in_profile"
  | "bad_agent"
  /** The request has signature headers that cannot be read; they are not ours to drop. */
  | "signed_otherwise"
  | "content_digest_mismatch"
  | BaseProblem;

/** What a signature adds to a request: the whole new values of these fields. */
export type AddedHeaders = readonly FieldLine[];

/** The headers that sign `request`. Nothing is sent, and the request is not changed. */
export async function signatureHeaders(
  request: HttpRequest,
  options: SignOptions,
): Promise<Result<AddedHeaders, SignProblem>> {
  const target = targetOf(request.url, options.plainHttp ?? "refused");
  if (!target.ok) return target;
  let headers: readonly FieldLine[] = [...request.headers];
  const digest = await digestFor(request.body, headers);
  if (!digest.ok) return digest;
  if (digest.value !== undefined) headers = [...headers, ["content-digest", digest.value]];
  const created = Math.floor((options.now ?? Date.now)() / 1000);
  const nonce = options.nonce ?? freshNonce();
  const covers = componentsOf(target.value, headers, options.alsoCover ?? []);
  for (const profile of options.profiles ?? [DEFAULT_PROFILE]) {
    const signed = await signOnce({ ...request, headers }, { options, profile, created, nonce, covers });
    if (!signed.ok) return signed;
    headers = signed.value;
  }
  const before = new Set<string>();
  for (const name of ADDED) if (fieldOf(request.headers, name) === fieldOf(headers, name)) before.add(name);
  return ok(ADDED.filter((name) => !before.has(name)).flatMap((name) => lineOf(headers, name)));
}

/** A Fetch request signed: the same request, with the headers added. Its body is read to cover it. */
export async function signRequest(request: Request, options: SignOptions): Promise<Result<Request, SignProblem>> {
  const { method, url, headers } = request;
  const body = request.body === null ? new Uint8Array() : new Uint8Array(await request.clone().arrayBuffer());
  const added = await signatureHeaders({ method, url, headers: [...headers.entries()], body }, options);
  if (!added.ok) return added;
  const all = new Headers(headers);
  for (const [name, value] of added.value) all.set(name, value);
  return ok(new Request(request, { headers: all }));
}

const ADDED: readonly string[] = ["content-digest", "signature-agent", "signature-input", "signature"];

async function signOnce(
  request: HttpRequest & { readonly headers: readonly FieldLine[] },
  what: {
    readonly options: SignOptions;
    readonly profile: DraftProfile;
    readonly created: number;
    readonly nonce: string;
    readonly covers: readonly Component[];
  },
): Promise<Result<readonly FieldLine[], SignProblem>> {
  const { options, profile, created, nonce, covers } = what;
  const member = memberValue(options.agent, profile, options.plainHttp ?? "refused");
  if (!member.ok) return member;
  const agentField = fieldOf(request.headers, "signature-agent");
  const agents = agentField === undefined ? undefined : parseSignatureAgent(agentField);
  // A member cannot stand beside the single String of early drafts.
  if (agents !== undefined && (!agents.ok || agents.value.form === "string")) return err("signed_otherwise");
  const label = freeLabel(request.headers, agents?.value.form === "dictionary" ? agents.value.members : new Map());
  if (!label.ok) return label;
  const { lifetimeS = SIGNED_FOR_S, key } = options;
  assert(lifetimeS > 0 && lifetimeS <= SIGNED_FOR_MAX_S, "a signature lives 1 to 300 seconds");
  const agent = `${agentField === undefined ? "" : `${agentField}, `}${label.value}=${member.value}`;
  const withAgent = replaced(request.headers, "signature-agent", agent);
  const signed = await signMessage(
    { ...request, headers: withAgent },
    {
      label: label.value,
      components: [...covers, { name: "signature-agent", key: label.value }],
      // In the order of the draft's own vectors.
      parameters: { created, keyid: key.keyId, alg: key.algorithm, expires: created + lifetimeS, nonce, tag: TAG },
      signer: key,
    },
  );
  if (!signed.ok) return signed;
  const input = appended(request.headers, "signature-input", signed.value.signatureInput);
  const signature = appended(request.headers, "signature", signed.value.signature);
  return ok(replaced(replaced(withAgent, "signature-input", input), "signature", signature));
}

/** Method, authority, path, query where there is one, and the content's digest where there is content. */
function componentsOf(target: Target, headers: readonly FieldLine[], more: readonly string[]): readonly Component[] {
  const names = ["@method", "@authority", "@path"];
  if (target.url.search !== "") names.push("@query");
  if (fieldOf(headers, "content-digest") !== undefined) names.push("content-digest");
  for (const name of more.map((one) => one.toLowerCase())) if (!names.includes(name)) names.push(name);
  return names.map((name) => ({ name }));
}

/** The field that has to be added; undefined where there is nothing to cover, or it is there already and fits. */
async function digestFor(
  body: Uint8Array | undefined,
  headers: readonly FieldLine[],
): Promise<Result<string | undefined, SignProblem>> {
  const given = fieldOf(headers, "content-digest");
  if (body === undefined) return ok(undefined);
  if (given !== undefined)
    return (await judgeContentDigest(given, body)) === "fits" ? ok(undefined) : err("content_digest_mismatch");
  return ok(body.length === 0 ? undefined : await contentDigest(body));
}

function targetOf(url: string, plainHttp: PlainHttp): Result<Target, SignProblem> {
  const target = readTarget(url);
  if (target === undefined) return err("bad_target");
  const { protocol } = target.url;
  if (protocol === "https:") return ok(target);
  if (protocol !== "http:") return err("bad_target");
  return plainHttp === "loopback" && isLoopbackHttp(target.url) ? ok(target) : err("plain_http");
}

function memberValue(agent: SignerAgent, profile: DraftProfile, plainHttp: PlainHttp): Result<string, SignProblem> {
  const text = agent.type === "directory" ? agent.origin : agent.url;
  const read = agentUrl(text, plainHttp);
  if (!read.ok || !PLAIN.test(text)) return err("bad_agent");
  const { url } = read;
  if (agent.type === "directory") {
    if (agent.origin !== url.origin) return err("bad_agent");
    return ok(quoted(profile === "ietf-00" ? url.origin : `${url.origin}${DIRECTORY_PATH}`));
  }
  if (profile === "ietf-00") return ok(`${quoted(agent.url)};type=${agent.type}`);
  return agent.type === "jwks_uri" ? ok(quoted(agent.url)) : err("agent_not_in_profile");
}

/** What a String of a structured field carries as it is. */
const PLAIN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function quoted(url: string): string {
  return `"${url}"`;
}

/** `sig1`, or the next that nothing in the request has. Existing signatures must be whole to stand beside them. */
function freeLabel(
  headers: readonly FieldLine[],
  agents: ReadonlyMap<string, unknown>,
): Result<string, "signed_otherwise"> {
  const input = fieldOf(headers, "signature-input");
  const signature = fieldOf(headers, "signature");
  if ((input === undefined) !== (signature === undefined)) return err("signed_otherwise");
  const parsed = parseSignatures(input ?? "", signature ?? "");
  if (!parsed.ok) return err("signed_otherwise");
  const taken = (label: string) => parsed.value.inputs.has(label) || agents.has(label);
  for (let n = 1; ; n += 1) if (!taken(`sig${n}`)) return ok(`sig${n}`);
}

function appended(headers: readonly FieldLine[], name: string, value: string): string {
  const before = fieldOf(headers, name);
  return before === undefined ? value : `${before}, ${value}`;
}

function replaced(headers: readonly FieldLine[], name: string, value: string): readonly FieldLine[] {
  assert(value.length <= FIELD_MAX_CHARS, "a signature field that nobody would read");
  return [...headers.filter(([given]) => given.toLowerCase() !== name), [name, value]];
}

function lineOf(headers: readonly FieldLine[], name: string): readonly FieldLine[] {
  const value = fieldOf(headers, name);
  return value === undefined ? [] : [[name, value]];
}

/** 32 random bytes, in the alphabet of the draft's vectors. */
export function freshNonce(): string {
  return base64(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
}

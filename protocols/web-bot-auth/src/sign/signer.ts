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
  const given: readonly FieldLine[] = [...request.headers];
  const digest = await digestFor(request.body, given);
  if (!digest.ok) return digest;
  const digestLine: AddedHeaders = digest.value === undefined ? [] : [["content-digest", digest.value]];
  const others = [...given.filter(([name]) => !OURS.has(name.toLowerCase())), ...digestLine];
  const created = Math.floor((options.now ?? Date.now)() / 1000);
  const nonce = options.nonce ?? freshNonce();
  const covers = componentsOf(target.value, others, options.alsoCover ?? []);
  let fields: SignatureFields = {
    agent: fieldOf(given, "signature-agent"),
    input: fieldOf(given, "signature-input"),
    signature: fieldOf(given, "signature"),
  };
  for (const profile of options.profiles ?? [DEFAULT_PROFILE]) {
    const signed = await signOnce(
      { ...request, headers: others },
      { fields, options, profile, created, nonce, covers },
    );
    if (!signed.ok) return signed;
    fields = signed.value;
  }
  return ok([...digestLine, ...linesOf(fields)]);
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

/** The fields of signatures, each with all its occurrences: they are read once, and written anew. */
interface SignatureFields {
  readonly agent: string | undefined;
  readonly input: string | undefined;
  readonly signature: string | undefined;
}

const OURS: ReadonlySet<string> = new Set(["signature-agent", "signature-input", "signature"]);

async function signOnce(
  request: HttpRequest & { readonly headers: readonly FieldLine[] },
  what: {
    readonly fields: SignatureFields;
    readonly options: SignOptions;
    readonly profile: DraftProfile;
    readonly created: number;
    readonly nonce: string;
    readonly covers: readonly Component[];
  },
): Promise<Result<SignatureFields, SignProblem>> {
  const { fields, options, profile, created, nonce, covers } = what;
  const member = memberValue(options.agent, profile, options.plainHttp ?? "refused");
  if (!member.ok) return member;
  const label = freeLabel(fields);
  if (!label.ok) return label;
  const { lifetimeS = SIGNED_FOR_S, key } = options;
  assert(lifetimeS > 0 && lifetimeS <= SIGNED_FOR_MAX_S, "a signature lives 1 to 300 seconds");
  const agent = beside(fields.agent, `${label.value}=${member.value}`);
  const signed = await signMessage(
    { ...request, headers: [...request.headers, ...linesOf({ ...fields, agent })] },
    {
      label: label.value,
      components: [...covers, { name: "signature-agent", key: label.value }],
      // In the order of the draft's own vectors.
      parameters: { created, keyid: key.keyId, alg: key.algorithm, expires: created + lifetimeS, nonce, tag: TAG },
      signer: key,
    },
  );
  if (!signed.ok) return signed;
  const { signatureInput, signature } = signed.value;
  return ok({ agent, input: beside(fields.input, signatureInput), signature: beside(fields.signature, signature) });
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
function freeLabel({ agent, input, signature }: SignatureFields): Result<string, "signed_otherwise"> {
  if (agent === undefined && input === undefined && signature === undefined) return ok(FIRST_LABEL);
  const agents = agent === undefined ? undefined : parseSignatureAgent(agent);
  // A member cannot stand beside the single String of early drafts.
  if (agents !== undefined && (!agents.ok || agents.value.form === "string")) return err("signed_otherwise");
  if ((input === undefined) !== (signature === undefined)) return err("signed_otherwise");
  const parsed = parseSignatures(input ?? "", signature ?? "");
  if (!parsed.ok) return err("signed_otherwise");
  const members = agents?.value.form === "dictionary" ? agents.value.members : undefined;
  const taken = (label: string) => parsed.value.inputs.has(label) || members?.has(label) === true;
  for (let n = 1; ; n += 1) if (!taken(`sig${n}`)) return ok(`sig${n}`);
}

const FIRST_LABEL = "sig1";

function beside(before: string | undefined, value: string): string {
  const field = before === undefined ? value : `${before}, ${value}`;
  assert(field.length <= FIELD_MAX_CHARS, "a signature field that nobody would read");
  return field;
}

function linesOf({ agent, input, signature }: SignatureFields): AddedHeaders {
  const lines: FieldLine[] = [];
  if (agent !== undefined) lines.push(["signature-agent", agent]);
  if (input !== undefined) lines.push(["signature-input", input]);
  if (signature !== undefined) lines.push(["signature", signature]);
  return lines;
}

// Asking for random bytes costs more than they do, so they come for many nonces at once; each is used once, and wiped.
const RANDOM = new Uint8Array(64 * NONCE_BYTES);
let used = RANDOM.length;

/** 32 random bytes, in the alphabet of the draft's vectors. */
export function freshNonce(): string {
  if (used === RANDOM.length) {
    crypto.getRandomValues(RANDOM);
    used = 0;
  }
  const bytes = RANDOM.subarray(used, used + NONCE_BYTES);
  used += NONCE_BYTES;
  const nonce = base64(bytes);
  bytes.fill(0);
  return nonce;
}

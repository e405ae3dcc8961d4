import { signBrowsing } from "@countersign/tap";
import {
  createVerifier,
  type FieldLine,
  generateSigningKey,
  type HttpRequest,
  mayActOn,
  type PublicKey,
  readPublicKey,
  type SignerAgent,
  signatureHeaders,
} from "@countersign/web-bot-auth";
import { assert, isJsonObject, type JsonObject } from "@countersign/wire";
import { startForeign } from "./python.ts";
import type { Scenario } from "./scenario.ts";

const AGENT = "https://agent.example";
const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;
const WEB_BOT_AUTH_TAG = "web-bot-auth";

export const IDENTITY_SCENARIOS: readonly Scenario[] = [
  { name: "identity: a foreign verifier reads what ours signs, and nothing that was changed", play: foreignVerifies },
  { name: "identity: ours reads what a foreign signer signs, once, and nothing that was changed", play: foreignSigns },
];

interface Sent {
  readonly request: HttpRequest;
  readonly text: string;
}

const GET: Sent = {
  request: {
    method: "GET",
    url: "https://shop.example/catalogue%2Fall?page=2&q=a%20b",
    headers: [["accept", "text/html"]],
    body: new Uint8Array(),
  },
  text: "",
};
const POST: Sent = sent("https://shop.example:8443/orders", '{"sku":"tea","note":"caf\u00e9"}');

function sent(url: string, text: string): Sent {
  const headers: readonly FieldLine[] = [["content-type", "application/json"]];
  return { request: { method: "POST", url, headers, body: new TextEncoder().encode(text) }, text };
}

async function foreignVerifies(python: string): Promise<void> {
  const { key } = await generateSigningKey();
  const judged: JsonObject[] = [];
  const expected = new Map<string, boolean>();
  const ask = (name: string, holds: boolean, of: JsonObject) => {
    judged.push({ ...of, name });
    expected.set(name, holds);
  };
  const agents: readonly SignerAgent[] = [
    { type: "directory", origin: AGENT },
    { type: "jwks_uri", url: `${AGENT}/keys.json?tenant=7` },
  ];
  for (const agent of agents)
    for (const { request, text } of [GET, POST]) {
      const added = await signatureHeaders(request, { key, agent });
      assert(added.ok, "it is signed");
      const of = foreignForm(request, added.value, { text, tag: WEB_BOT_AUTH_TAG });
      const components = ["@method", "@authority", "@path", '"signature-agent";key="sig1"'];
      const name = `${agent.type} ${request.method}`;
      ask(name, true, { ...of, components });
      ask(`${name}, another path`, false, { ...of, components, url: String(of["url"]).replace(/\/[a-z]/, "/x") });
      ask(`${name}, another method`, false, { ...of, components, method: "DELETE" });
      ask(`${name}, another body`, false, { ...of, components, body: `${text} ` });
    }
  const tap = await signBrowsing(GET.request, { key });
  assert(tap.ok, "TAP signs it");
  const browsing = foreignForm(GET.request, tap.value.headers, { text: "", tag: "agent-browser-auth" });
  ask("TAP", true, { ...browsing, components: ["@authority", "@path"] });
  ask("TAP, another host", false, { ...browsing, components: [], url: "https://other.example/catalogue%2Fall" });

  const told = await heard(python, { key: { key_id: key.keyId, x: key.publicJwk.x }, judge: judged, sign: [] });
  const verdicts = new Map(told.flatMap((said) => (said["name"] === undefined ? [] : [[String(said["name"]), said]])));
  for (const [name, holds] of expected)
    assert(verdicts.get(name)?.["holds"] === holds, `${name}: ${JSON.stringify(verdicts.get(name))}`);
}

async function foreignSigns(python: string): Promise<void> {
  const { key } = await generateSigningKey();
  const components = ["@method", "@authority", "@path", "@query"];
  const sign = [GET, POST].map(({ request, text }, n) => ({
    ...foreignForm(request, [], { text, tag: WEB_BOT_AUTH_TAG }),
    label: `theirs${n}`,
    agent: AGENT,
    nonce: `nonce-${n}`,
    components,
  }));
  const told = await heard(python, { key: { key_id: key.keyId, x: key.publicJwk.x }, judge: [], sign });
  const published = told.find((said) => said["key"] !== undefined);
  const read = await readPublicKey(published?.["key"] ?? null);
  assert(read.ok && read.value.keyId === published?.["key_id"], "both find the same thumbprint");
  const requests = told.flatMap((said) => (isJsonObject(said["signed"] ?? null) ? [said["signed"] as JsonObject] : []));
  assert(requests.length === sign.length, "they signed them all");
  for (const signed of requests) await oursReads(ourForm(signed), read.value);
}

async function oursReads(request: HttpRequest, key: PublicKey): Promise<void> {
  const verifier = createVerifier({
    keys: {
      find: async (place, keyId) =>
        place.url === DIRECTORY && keyId === key.keyId ? { kind: "found", key, age: "fresh" } : { kind: "absent" },
    },
  });
  const changed: readonly HttpRequest[] = [
    { ...request, method: "PUT" },
    { ...request, url: request.url.replace("shop.example", "other.example") },
    { ...request, url: `${request.url}${request.url.includes("?") ? "&" : "?"}more` },
    { ...request, body: new TextEncoder().encode("another") },
  ];
  // A body that nobody signed is told as such; every other change is evidence.
  for (const one of changed) {
    const [result] = (await verifier.verify(one)).results;
    const may = result?.outcome === "verified" && mayActOn(result).ok;
    assert(!may, `a changed request is not to be acted on: ${JSON.stringify(result)}`);
  }
  const fresh = await createVerifier({ keys: { find: async () => ({ kind: "found", key, age: "fresh" }) } }).verify(
    request,
  );
  const [result] = fresh.results;
  assert(result?.outcome === "verified" && mayActOn(result).ok, `it holds: ${JSON.stringify(fresh)}`);
  assert(result.identifier === DIRECTORY, "it is attributed to the directory");
}

async function heard(python: string, job: JsonObject): Promise<readonly JsonObject[]> {
  const foreign = startForeign(python, "signatures.py", job);
  const told: JsonObject[] = [];
  for await (const said of foreign.said) told.push(said);
  assert((await foreign.ended) === 0, `the foreign program ends well: ${JSON.stringify(told)}`);
  return told;
}

function foreignForm(
  request: HttpRequest,
  added: Iterable<FieldLine>,
  { text, tag }: { readonly text: string; readonly tag: string },
): JsonObject {
  const headers = Object.fromEntries([...request.headers, ...added]);
  return { method: request.method, url: request.url, headers, body: text, tag };
}

function ourForm(signed: JsonObject): HttpRequest {
  const headers = Object.entries(signed["headers"] ?? {}).map(([name, value]): FieldLine => [name, String(value)]);
  const body = new TextEncoder().encode(String(signed["body"]));
  return { method: String(signed["method"]), url: String(signed["url"]), headers, body };
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { generateSigningKey, type SigningKey, serveDirectory, signRequest } from "@countersign/web-bot-auth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PracticeShop, startPracticeShop } from "../src/index.ts";

let key: SigningKey;
let directory: Server;
let agent: string;
let shop: PracticeShop;

beforeAll(async () => {
  ({ key } = await generateSigningKey());
  directory = createServer((request, response) => {
    void serveDirectory(new Request(`${agent}${request.url}`), { keys: [key] }).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => directory.listen(0, "127.0.0.1", resolve));
  agent = `http://127.0.0.1:${(directory.address() as AddressInfo).port}`;
  shop = await startPracticeShop();
});
afterAll(async () => {
  await shop.close();
  directory.close();
  directory.closeAllConnections();
});

async function signed(path: string, init: RequestInit = {}, by = key, origin = agent): Promise<Request> {
  const answer = await signRequest(new Request(`${shop.origin}${path}`, init), {
    key: by,
    agent: { type: "directory", origin },
    plainHttp: "loopback",
  });
  if (!answer.ok) throw new Error(answer.reason);
  return answer.value;
}
const products = "/api/v1/products";
const session = { method: "POST", body: JSON.stringify({ email: "a", password: "b" }) };
const outcome = async (request: Request) => {
  const answer = await fetch(request);
  return [answer.status, ((await answer.json()) as { readonly error?: string }).error];
};

it("PLG-7 whoever asks is told how the shop sees them, also where it demands nothing", async () => {
  expect(await (await fetch(`${shop.origin}/api/v1/caller`)).json()).toEqual({ caller: { outcome: "unsigned" } });
  const identifier = `${agent}/.well-known/http-message-signatures-directory`;
  expect(await (await fetch(await signed("/api/v1/caller"))).json()).toEqual({
    caller: { outcome: "verified", agent: identifier, key_id: key.keyId },
  });
});

it("PLG-7 a shop that demands it hears only who signs, and says who called", async () => {
  shop.callers.demand("api");
  const refused = await fetch(`${shop.origin}${products}`);
  expect(refused.status).toBe(403);
  expect(refused.headers.get("accept-signature")).toContain('tag="web-bot-auth"');
  expect(await refused.json()).toMatchObject({ error: "signature_required", caller: { outcome: "unsigned" } });

  expect(await outcome(await signed(products))).toEqual([200, undefined]);
  // Signed for another key, for another origin, with other content, and once more.
  const { key: other } = await generateSigningKey();
  expect(await outcome(await signed(products, {}, other))).toEqual([403, "signature_required"]);
  const read = await signed(products);
  const elsewhere = new Request(`${shop.origin}/api/v1/me`, { headers: read.headers });
  expect(await outcome(elsewhere)).toEqual([403, "signature_required"]);
  const post = await signed("/api/v1/session", session);
  const changed = new Request(post.url, { method: "POST", headers: post.headers, body: "{}" });
  expect(await outcome(changed)).toEqual([403, "signature_required"]);
  expect(await outcome(post)).toEqual([401, "invalid_credentials"]);
  const once = await signed(products);
  expect(await outcome(once.clone())).toEqual([200, undefined]);
  expect(await outcome(once)).toEqual([403, "signature_required"]);

  const seen = await (await fetch(`${shop.controlOrigin}/callers`)).json();
  expect(JSON.stringify(seen)).toContain("replayed");
  expect(
    shop.callers
      .seen()
      .filter(({ refused: was }) => was)
      .map(({ caller }) => caller),
  ).toEqual([
    { outcome: "unsigned" },
    { outcome: "unverified", reason: "key_not_in_directory" },
    { outcome: "invalid", reason: "bad_signature" },
    { outcome: "invalid", reason: "content_digest_mismatch" },
    { outcome: "invalid", reason: "replayed" },
  ]);
});

it("pages are open unless they are asked too; keys are looked for on this machine alone", async () => {
  expect((await fetch(`${shop.origin}/`)).status).toBe(200);
  expect(await outcome(await signed(products, {}, key, "https://agent.example"))).toEqual([403, "signature_required"]);
  expect(shop.callers.seen().at(-1)?.caller).toEqual({ outcome: "unverified", reason: "directory_unavailable" });

  const post = (path: string, headers = {}) => fetch(`${shop.controlOrigin}${path}`, { method: "POST", headers });
  expect((await post("/signatures/everywhere", { origin: "https://page.example" })).status).toBe(403);
  expect((await post("/signatures/everywhere")).status).toBe(200);
  expect((await fetch(`${shop.origin}/`)).status).toBe(403);
  expect((await fetch(await signed("/"))).status).toBe(200);
  expect((await post("/signatures/off")).status).toBe(200);
  expect((await fetch(`${shop.origin}${products}`)).status).toBe(200);
});

import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { inspect } from "node:util";
import type { IdentitySigner, VaultRef } from "@countersign/plugin";
import { DIRECTORY_PATH } from "@countersign/web-bot-auth";
import { WEB_BOT_AUTH } from "@countersign/web-bot-auth/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { httpbis } from "http-message-signatures";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { identityCommand } from "../packages/countersign/src/commands/identity.ts";
import { gatewayCtx } from "../packages/gateway/src/plugin-ctx.ts";
import { orderRequest } from "./support/agent.ts";
import { foreignVerifies, type Signed } from "./support/foreign-signature.ts";
import { send } from "./support/http.ts";
import { filesBelow, leaks } from "./support/leaks.ts";
import { publishedKeys, signing } from "./support/signing.ts";
import { readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let identities: Map<string, IdentitySigner>;
/** What left for the shop, as it left. */
let left: Signed[];
const said: string[] = [];

beforeAll(async () => {
  const set = await signing();
  ({ identities, left } = set);
  ready = await readyWorld({ ...set.options, logLevel: "debug" });
});
afterAll(() => ready?.world.close());

const directory = () => publishedKeys(ready.world.issuer);
const header = ({ headers }: Signed, wanted: string) => [...headers].filter(([name]) => name.toLowerCase() === wanted);
const keyIdOf = (request: Signed | undefined) =>
  request && /keyid="([^"]*)"/.exec(header(request, "signature-input")[0]?.[1] ?? "")?.[1];

async function buy(): Promise<JsonObject> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
  return ready.agent.reaches(taskId, "succeeded");
}

async function command(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  await identityCommand.run([...args, "--data", ready.world.dataDir]);
  vi.restoreAllMocks();
  said.push(...lines);
  return lines.join("");
}

it("PLG-7 everything that leaves for the shop is signed, the order too, and a foreign implementation verifies it", async () => {
  const before = ready.world.shop.control.counters();
  left.length = 0;
  expect(await buy()).toMatchObject({ state: "succeeded" });
  const { keys } = await directory();
  expect(left.length).toBeGreaterThan(2);
  for (const request of left) {
    expect(await foreignVerifies(request, keys), `${request.method} ${request.url}`).toBe(true);
    expect(header(request, "signature-agent")).toEqual([["signature-agent", `sig1="${ready.world.issuer}"`]]);
  }
  const orders = left.filter(({ method, url }) => method === "POST" && new URL(url).pathname.endsWith("/orders"));
  expect(orders).toHaveLength(1);
  // Signed once, and nothing else of it is new.
  expect(orders[0] && header(orders[0], "signature-input")[0]?.[1].match(/sig\d+=/g)).toEqual(["sig1="]);
  expect(ready.world.shop.control.counters()).toMatchObject({ submits: before.submits + 1, orders: before.orders + 1 });
});

it("PLG-7 the directory of keys is served, and proves that whoever publishes it holds them", async () => {
  const { reply, keys } = await directory();
  expect([reply.status, reply.headers["content-type"], keys.size]).toEqual([
    200,
    "application/http-message-signatures-directory+json",
    1,
  ]);
  const [jwk] = keys.values();
  const key = createPublicKey({ key: { ...jwk } as JsonWebKey, format: "jwk" });
  const proven = await httpbis.verifyMessage(
    { keyLookup: async () => ({ verify: async (data, signature) => verify(null, data, key, signature) }) },
    { status: 200, headers: reply.headers as Record<string, string> },
    { method: "GET", url: `${ready.world.issuer}${DIRECTORY_PATH}`, headers: {} },
  );
  expect(proven).toBe(true);
  const again = await send(ready.world.issuer, "GET", DIRECTORY_PATH, {
    headers: { "if-none-match": String(reply.headers["etag"]) },
  });
  expect(again.status).toBe(304);
  const head = await send(ready.world.issuer, "HEAD", DIRECTORY_PATH);
  expect([head.status, head.text, head.headers["etag"]]).toEqual([200, "", reply.headers["etag"]]);
});

it("PLG-7 STA-2 a signer that fails neither stops what is sent once nor has it sent twice", async () => {
  identities.set("zz.broken", { sign: () => Promise.reject(new Error("no")) });
  const before = ready.world.shop.control.counters();
  left.length = 0;
  expect(await buy()).toMatchObject({ state: "succeeded" });
  identities.delete("zz.broken");
  const { keys } = await directory();
  for (const request of left) expect(await foreignVerifies(request, keys)).toBe(true);
  expect(ready.world.shop.control.counters()).toMatchObject({ submits: before.submits + 1, orders: before.orders + 1 });
  expect(ready.world.logLines.some((line) => line.includes("identity.unsigned") && line.includes("zz.broken"))).toBe(
    true,
  );
});

it("PLG-7 keys are listed, rotated and withdrawn by command", async () => {
  const first = keyIdOf(left.at(-1));
  expect(await command("keys")).toBe(`web-bot-auth:\n  ${first}  signs\n`);
  expect(await command("rotate")).toMatch(/is published and signs from/);
  expect(await command("rotate")).toMatch(/does not sign yet; wait/);
  const second = [...(await directory()).keys.keys()].find((id) => id !== first);
  expect(await command("keys")).toMatch(
    new RegExp(`${first} {2}signs until the next one.*\n {2}${second} {2}signs from `),
  );
  const read = async () => {
    left.length = 0;
    const wish = { ...orderRequest(ready), operation: "retail.orders.list", parameters: {} };
    const task = await ready.agent.post("/v1/tasks", wish);
    await ready.agent.reaches(String(task.json["task_id"]), "succeeded");
    return keyIdOf(left[0]);
  };
  expect(await command("rotate", "--signer", "tap")).toMatch(/has no keys here/);
  expect(await command("withdraw", "unknown")).toMatch(/no key of that id/);
  expect(await command("withdraw", `-${"A".repeat(42)}`)).toMatch(/no key of that id/);
  expect(await command("withdraw", String(first))).toMatch(/is withdrawn\. .* signs in its place/);
  const { keys } = await directory();
  expect(keys.has(String(first))).toBe(false);
  const signs = await read();
  expect(keys.has(String(signs)) && signs !== first).toBe(true);
  const [seen] = left;
  expect(seen !== undefined && (await foreignVerifies(seen, keys))).toBe(true);
  expect(JSON.parse(await command("keys", "--json"))).toMatchObject({ signers: [{ signer: WEB_BOT_AUTH }] });
});

it("PLG-7 N38 AUT-4 the private half is in nothing that leaves, is kept, printed, said or logged", async () => {
  const { core } = ready.world.gateway;
  const ctx = gatewayCtx(core, WEB_BOT_AUTH, new AbortController().signal);
  const ring = (await ctx.store.get("keys"))?.value as readonly { readonly ref: VaultRef }[];
  const secrets: Record<string, string> = {};
  for (const [at, { ref }] of ring.entries()) {
    const used = await ctx.vault.use(ref, (text) => (JSON.parse(text) as { readonly d: string }).d);
    assert(used.ok, "the vault has it");
    secrets[`private half ${at}`] = used.value;
  }
  expect(Object.keys(secrets).length).toBeGreaterThan(0);
  const { reply } = await directory();
  const deep = { depth: 12, showHidden: true };
  const places = new Map<string, string | Uint8Array>([
    ["requests", inspect(left, deep)],
    ["the directory", reply.text + inspect(reply.headers)],
    ["the log", ready.world.logLines.join("\n")],
    ["the command", said.join("\n")],
    ["the signers, printed", inspect(core.identities, deep)],
    ["the signers, as JSON", JSON.stringify([...core.identities])],
    ...filesBelow(ready.world.dataDir),
  ]);
  expect(leaks(secrets, places)).toEqual([]);
});

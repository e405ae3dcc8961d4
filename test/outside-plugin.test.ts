import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Gateway } from "@countersign/gateway";
import { buildProtocols, definePlugin, egressPoint, gatewayPlugin } from "@countersign/plugin";
import { readApplication } from "@countersign/profile";
import { assert } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlugins, type OutsidePlugins } from "../packages/countersign/src/plugins/load.ts";
import { agentProtocols } from "../packages/countersign/src/setup/agent-protocols.ts";
import { composeGateway } from "../packages/countersign/src/setup/compose.ts";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { Agent, hoursAhead } from "./support/agent.ts";
import { send } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { freePort, type World } from "./support/world.ts";

// The whole way of a plugin from outside: named in the settings, loaded from its own folder, composed as `countersign
// start` composes it, listed, and its operation seen and used by an agent.

const EXAMPLES = fileURLToPath(new URL("../examples/", import.meta.url));
const GIFTS = "https://errands.example/extensions/gifts/v1";
const PAPERS = "urn:example:papers";

let dir: string;
let site: Server;
let gateway: Gateway;
let outside: OutsidePlugins;
let dataDir: string;

beforeAll(async () => {
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  dir = mkdtempSync(join(tmpdir(), "countersign-outside-"));
  site = createServer((request, response) => {
    const signedIn = request.headers.authorization === "Bearer card-7";
    const json = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (!signedIn) return json(401, {});
    if (request.url === "/patron") return json(200, { name: "Reader 7" });
    return json(200, { loans: [{ title: "Kidnapped", due: "2026-12-14", shelf: "not asked for" }] });
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const loaded = await loadPlugins({ folder: EXAMPLES, load: [{ path: "sample-plugin" }] }, { settingsFolder: dir });
  assert(loaded.ok, loaded.ok ? "" : loaded.reason);
  outside = loaded.value;
  const extensions = [PAPERS, GIFTS].map((uri) => ({ uri, description: "What this application adds" }));
  const application = readApplication({ name: "Errands", a2a: { extensions } });
  assert(application.ok, "it is an application");
  dataDir = join(dir, "data");
  const started = await composeGateway({
    dataDir,
    issuer: `http://localhost:${await freePort()}`,
    sandbox: "off",
    logLevel: "silent",
    destinations: [{ id: "library", site: "library", origin: `http://127.0.0.1:${port}` }],
    chromium: "/not/started/in/this/test",
    outside,
    application: application.value,
  });
  assert(started.ok, started.ok ? "" : started.reason);
  gateway = started.value;
});
afterAll(async () => {
  await gateway?.stop();
  await new Promise((resolve) => site.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

const issuer = () => gateway.core.issuer;

describe("PLG-5 a plugin of somebody else's", () => {
  it("PLG-5 PLG-1 an agent sees its operation, and uses it like any other", async () => {
    const about = await send(issuer(), "GET", "/.well-known/agentic-web-execution");
    expect(about.text).toContain("library.loans.list");
    // Neither the person nor the agent of this test goes to a shop.
    const where = { issuer: issuer(), dataDir, gateway } as unknown as World;
    const person = await Person.signIn(where);
    const agent = await Agent.join(where, person);
    const begun = await person.post("/connections", { destination: "library", route: "http" });
    const ref = String(begun.json["continuation_ref"]);
    await person.post(`/continuations/${ref}/begin`);
    await person.post(`/continuations/${ref}/form`, { values: { card: "7" } });
    const accountRef = String(begun.json["account_ref"]);
    const consentRef = await agent.askGrant({ destination: "library", operations: ["library.loans.list"] });
    await person.grant(consentRef, accountRef);
    const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
    expect(capabilities.text).toContain("List what you have on loan");
    const submitted = await agent.post("/v1/tasks", {
      profile: "sophtron.agentic-web-execution/0.1",
      request_id: "r1",
      idempotency_key: "k1",
      account_ref: accountRef,
      consent_ref: consentRef,
      operation: "library.loans.list",
      parameters: {},
      expires_at: hoursAhead(1),
    });
    const taskId = String(submitted.json["task_id"]);
    expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    const result = await agent.get(`/v1/tasks/${taskId}/result`);
    expect(result.json["result"]).toEqual({ loans: [{ title: "Kidnapped", due: "2026-12-14" }] });
  });

  it("PLG-5 the listing is for everybody, of ids, versions, roles and states alone", async () => {
    const reply = await send(issuer(), "GET", "/api/v1/protocols");
    expect(reply.status).toBe(200);
    const { protocols, catalogue } = reply.json as unknown as {
      protocols: readonly Readonly<Record<string, unknown>>[];
      catalogue: readonly Readonly<Record<string, unknown>>[];
    };
    const shipped = agentProtocols().plugins.map((p) => p.manifest.id);
    expect(protocols.map((p) => p["plugin"]).toSorted()).toEqual([...shipped, "protocol.lending"].toSorted());
    expect(protocols.map((p) => p["id"]).slice(0, 3)).toEqual(["a2a", "lending", "mcp"]);
    for (const { id, entry } of protocols) expect([id, entry]).toEqual([id, id === "lending" ? "unknown" : "known"]);
    const members = ["plugin", "id", "name", "versions", "publisher", "layer", "roles", "state", "points"];
    for (const protocol of protocols) expect(Object.keys(protocol)).toEqual([...members, "catalogue", "entry"]);
    expect(catalogue.length).toBeGreaterThan(10);
    // No backend's host, no store's place, no key, no library to try something on, nothing of what was contributed.
    const kid = /"kid":"([^"]+)"/.exec(JSON.stringify(await gateway.core.keys.current()))?.[1] ?? dir;
    for (const secret of ["127.0.0.1", dir, gateway.core.keys.pin, kid, "@a2a-js", GIFTS, "errands.example"])
      expect(reply.text, secret).not.toContain(secret);
    expect((await send(issuer(), "GET", "/openapi.json")).text).toContain("/api/v1/protocols");
  });

  it("PLG-6 the application's extensions stand on the card after the gateway's own, as written", async () => {
    const card = await send(issuer(), "GET", "/.well-known/agent-card.json");
    const { extensions } = card.json["capabilities"] as unknown as { extensions: readonly { uri: string }[] };
    const uris = extensions.map((e) => e.uri);
    expect(uris.slice(-2)).toEqual([PAPERS, GIFTS]);
    expect(uris.slice(0, -2).every((uri) => uri.startsWith("urn:countersign:"))).toBe(true);
    expect(uris.length).toBeGreaterThan(2);
  });

  it("PLG-5 it cannot take a seat that only the host gives, unless the host says so", () => {
    const greedy = definePlugin({
      manifest: { id: "x.greedy", version: "1", title: "Greedy", opens: [], uses: [egressPoint] },
      contribute: (put) => put(egressPoint, { id: "mine", order: 0, value: () => ({}) }),
    });
    const refused = buildProtocols([gatewayPlugin, greedy], { trusted: outside.trusted });
    expect(!refused.ok && refused.problems.map((p) => p.code)).toEqual(["not_permitted"]);
    expect(buildProtocols([gatewayPlugin, greedy], { trusted: ["x.greedy"] }).ok).toBe(true);
  });
});

describe("PLG-5 from a folder anywhere", () => {
  it("PLG-5 it finds the gateway's own packages there, and its points are the gateway's", async () => {
    const copy = join(dir, "plugins");
    cpSync(join(EXAMPLES, "sample-plugin"), join(copy, "sample-plugin"), { recursive: true });
    const settings = join(dir, "countersign.json");
    writeFileSync(settings, JSON.stringify({ plugins: { folder: "plugins", load: [{ path: "sample-plugin" }] } }));
    const main = fileURLToPath(new URL("../packages/countersign/src/main.ts", import.meta.url));
    const ran = spawnSync(process.execPath, [main, "protocols", "--json", "--config", settings], { encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    const { protocols } = JSON.parse(ran.stdout) as { protocols: readonly { id: string }[] };
    expect(protocols.map((p) => p.id)).toEqual(["a2a", "lending", "mcp", "tap", "web_bot_auth"]);
  });
});

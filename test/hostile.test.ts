import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyBundle } from "@countersign/profile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hoursAhead, orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

const CANARY = "canary-4f1c9a77d2";
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeAll(async () => {
  ready = await readyWorld();
});
afterAll(() => ready.world.close());

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

describe("REQ-9 bad bodies get a problem document that names the place, and nothing else", () => {
  const valid = () => JSON.stringify(orderRequest(ready));
  it.each<[string, () => string | Uint8Array, number, string]>([
    ["no JSON", () => `${CANARY}{`, 400, "malformed_body"],
    ["nothing", () => "", 400, "malformed_body"],
    ["an array", () => "[]", 400, "invalid_request"],
    ["a name twice", () => valid().replace("{", `{"operation":"${CANARY}",`), 400, "malformed_body"],
    [
      "a name twice, spelled with an escape",
      () => valid().replace("{", '{"\\u006fperation":"x",'),
      400,
      "malformed_body",
    ],
    ["a prototype", () => valid().replace("{", '{"__proto__":{"approved":true},'), 400, "malformed_body"],
    ["a lone surrogate", () => valid().replace("TL-200", "\\ud800"), 400, "malformed_body"],
    ["bytes that are not UTF-8", () => Buffer.from([0x7b, 0xff, 0x7d]), 400, "malformed_body"],
    ["a number beyond 2^53", () => valid().replace("6000", "9007199254740993"), 400, "malformed_body"],
    ["a number that overflows", () => valid().replace("6000", "1e400"), 400, "malformed_body"],
    ["a deep nest", () => deep(5_000), 400, "malformed_body"],
    ["more than 64 KiB", () => JSON.stringify({ a: CANARY.repeat(5_000) }), 413, "body_too_large"],
    ["an unknown operation", () => valid().replace("retail.order.submit", `x.${CANARY}`), 400, "unknown_operation"],
    ["another profile", () => valid().replace("/0.1", "/9.9"), 400, "unsupported_profile"],
    [
      "a local time",
      () => valid().replace(/"expires_at":"[^"]+"/, '"expires_at":"2027-01-01T00:00:00"'),
      400,
      "invalid_request",
    ],
    ["yen with decimals", () => valid().replace("6000", "60.5"), 400, "invalid_request"],
    ["text for a number", () => valid().replace("6000", '"6000"'), 400, "invalid_request"],
  ])("%s", async (_name, body, status, reason) => {
    const reply = await ready.agent.post("/v1/tasks", body());
    expect(reply.status).toBe(status);
    expect(reply.json["reason"]).toBe(reason);
    expect(reply.headers["content-type"]).toContain("application/problem+json");
    expect(reply.text).not.toContain(CANARY);
    expect(reply.text).not.toMatch(/\bat .*\.ts|node_modules|Error:/);
    if (reason !== "body_too_large" && reason !== "malformed_body") expect(reply.json["problems"]).toBeDefined();
  });

  it("a body of another type, a method that is not there, a foreign host, an endless URL", async () => {
    const { issuer } = ready.world;
    const authorization = `Bearer ${ready.agent.token}`;
    const text = await send(issuer, "POST", "/v1/tasks", {
      headers: { authorization, "content-type": "text/plain" },
      body: "{}",
    });
    expect([text.status, text.json["reason"]]).toEqual([415, "unsupported_media_type"]);
    const form = await send(issuer, "POST", "/v1/tasks", {
      headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
      body: "a=1",
    });
    expect(form.status).toBe(415);
    expect((await send(issuer, "DELETE", "/v1/tasks", { headers: { authorization } })).status).toBe(404);
    expect((await send(issuer, "GET", "/v1/tasks", { headers: { authorization, host: "evil.example" } })).status).toBe(
      403,
    );
    expect((await send(issuer, "GET", `/v1/tasks?x=${"y".repeat(5_000)}`, { headers: { authorization } })).status).toBe(
      400,
    );
    expect((await send(issuer, "GET", "/v1/tasks/%00%ff")).status).toBeLessThan(500);
    const nul = await send(issuer, "GET", "/v1/tasks/task_%00", { headers: { authorization } });
    expect([400, 404]).toContain(nul.status);
    const purpose = { purpose: "a\u0000b", destination: "practice-shop", operations: ["retail.orders.list"] };
    const asked = await ready.agent.post("/v1/consents", { ...purpose, expires_at: hoursAhead(1) });
    expect(asked.status).toBeLessThan(500);
  });

  it("the process is still up and the next order is taken", async () => {
    const another = orderRequest(ready, { parameters: { quantity: 2, max_total_minor: 20_000 } });
    expect((await ready.agent.post("/v1/tasks", another)).status).toBe(201);
  });
});

describe("AUT-3 tokens", () => {
  it.each([
    ["none", undefined],
    ["something", "Bearer nonsense"],
    ["another scheme", "Basic YTpi"],
    ["a cookie's value", `Bearer ${CANARY}`],
    [
      "alg none",
      `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from("{}").toString("base64url")}.`,
    ],
  ])("%s is refused without a word about why", async (_name, authorization) => {
    const reply = await send(ready.world.issuer, "GET", "/v1/tasks", {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(reply.status).toBe(401);
    expect(reply.json["reason"]).toBe("unauthenticated");
    expect(reply.headers["www-authenticate"]).toContain("Bearer");
    expect(reply.text).not.toContain(CANARY);
  });

  it("AUT-3 a revoked agent is refused before its token runs out", async () => {
    const fresh = await readyWorld();
    try {
      await fresh.person.post(`/agents/${fresh.agent.clientId}/revoke`);
      expect((await fresh.agent.get("/v1/tasks")).status).toBe(401);
    } finally {
      await fresh.world.close();
    }
  });
});

describe("AUT-4 secrets", () => {
  it("the password, the code and the site's token are in no log line, no file, no receipt", async () => {
    const { world, agent, person } = ready;
    const submitted = await agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await agent.reaches(taskId, "approval_required");
    await person.decide(await person.approvalFor(taskId), "approved");
    await agent.reaches(taskId);
    const bundle = await person.get(`/tasks/${taskId}/bundle`);
    const secrets = [
      world.shop.user.password,
      world.shop.user.totpSecret,
      agent.token,
      person.cookie.split("=")[1] ?? "?",
    ];
    const files = readdirSync(world.dataDir, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile() && !/gateway\.(db|lock)/.test(f.name))
      .map((f) => readFileSync(join(f.parentPath, f.name), "utf8"));
    const rows = JSON.stringify(
      await inStore(world.gateway, (db) => db.selectFrom("task_event").selectAll().execute()),
    );
    for (const value of secrets) {
      expect(world.logLines.join("\n")).not.toContain(value.slice(0, 6) === value ? value : value.slice(0, 12));
      for (const text of [...files, bundle.text, rows]) expect(text).not.toContain(value);
    }
    expect(world.shop.control.counters().foreignTokens).toBe(0);
    const material = await inStore(world.gateway, (db) => db.selectFrom("vault").select("sealed").execute());
    for (const { sealed } of material) expect(Buffer.from(sealed).toString("latin1")).not.toContain('"token"');
  });

  it("REC-4 the downloaded bundle verifies offline; one changed byte does not", async () => {
    const { world, person } = ready;
    const tasks = (await person.get("/tasks")).json["tasks"] as { task_id: string; state: string }[];
    const done = tasks.find((t) => t.state === "succeeded");
    const bundle = await until(
      () => person.get(`/tasks/${done?.task_id ?? ""}/bundle`),
      (reply) => reply.status === 200,
      "the signed receipt",
    );
    const options = { pin: world.gateway.core.keys.pin, issuer: world.issuer };
    const report = await verifyBundle(bundle.text, options);
    expect(report).toMatchObject({
      ok: true,
      value: { level: "L2", proves: "approval", display: "checked", receipt: "succeeded" },
    });
    const at = bundle.text.indexOf('"total_minor":') + '"total_minor":'.length;
    const changed = `${bundle.text.slice(0, at)}5${bundle.text.slice(at + 1)}`;
    expect(changed).not.toBe(bundle.text);
    expect((await verifyBundle(changed, options)).ok).toBe(false);
    expect((await verifyBundle(bundle.text, { ...options, issuer: "http://localhost:1" })).ok).toBe(false);
  });
});

it("CON-1 an agent that asks without end is slowed down, and the person revokes all the same", async () => {
  const fresh = await readyWorld();
  try {
    const asked = await Promise.all(Array.from({ length: 650 }, () => fresh.agent.get("/v1/tasks")));
    expect(asked.filter((reply) => reply.status === 429).length).toBeGreaterThan(0);
    expect((await fresh.person.post(`/consents/${fresh.consentRef}/revoke`)).status).toBe(200);
  } finally {
    await fresh.world.close();
  }
});

import { connect } from "node:net";
import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { assert, type JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { isOwnPath } from "../packages/gateway/src/http/contributed/places.ts";
import { createServer, routesOf } from "../packages/gateway/src/http/server.ts";
import { AGENT_STREAMS_MAX } from "../packages/gateway/src/limits.ts";
import { type Agent, hoursAhead, orderRequest } from "./support/agent.ts";
import { type Reply, send, until } from "./support/http.ts";
import { Person, pageHeaders } from "./support/person.ts";
import { sendRaw } from "./support/raw.ts";
import { inStore, openWorld, readyWorld } from "./support/world.ts";

// Every route of the server is in one of these lists, or the first test fails: a new one is guarded or it is noticed.
// GET stands for HEAD too.
const PAGES = [
  "/",
  "/link",
  "/agents",
  "/agents/*",
  "/consents",
  "/consents/*",
  "/accounts",
  "/continuations/*",
].concat(
  ["/approvals/*", "/contact", "/tasks", "/tasks/*", "/receipts", "/receipts/*", "/authorities", "/practice", "/more"],
  ["/passkeys", "/outside-sign-in", "/authorize/*", "/device", "/protocols", "/returned"],
);
const PUBLIC = ["/healthz", "/readyz", "/openapi.json", "/assets/*", "/.well-known/agentic-web-execution"].concat(
  [
    "/.well-known/countersign-keys",
    "/.well-known/countersign-keys/:version",
    "/.well-known/countersign-log/checkpoint",
  ],
  ["/.well-known/countersign-log/consistency", "/.well-known/countersign-log/inclusion"],
  ["/.well-known/oauth-protected-resource/v1", "/api/v1/protocols", "/.well-known/agentic-web-execution/catalogue"],
  ["/.well-known/countersign-delegation-keys"],
);
const OAUTH = ["/oauth/*", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
const AGENT = ["GET /v1/accounts", "GET /v1/accounts/:id/capabilities", "GET /v1/consents/:id", "GET /v1/tasks"].concat(
  ["GET /v1/tasks/:id", "GET /v1/tasks/:id/events", "GET /v1/tasks/:id/receipt", "GET /v1/tasks/:id/result"],
  ["POST /v1/consents", "POST /v1/tasks", "POST /v1/tasks/:id/cancel", "POST /v1/tasks/:id/evidence"],
  ["GET /v1/consents", "GET /v1/webhooks", "POST /v1/webhooks", "DELETE /v1/webhooks/:id"],
);
/** These begin a session, so they take none. */
const OPEN = ["GET /sign-in", "POST /session", "POST /sign-in/begin", "POST /sign-in/finish"].concat([
  "POST /sign-in/outside/begin",
  "POST /sign-in/outside/finish",
]);
const HOLDER = ["GET /accounts", "GET /agents", "GET /approvals/:id", "GET /authorities", "GET /changes"].concat(
  ["GET /authorizations/:ref", "POST /authorizations/:ref/decision", "POST /device"],
  ["GET /consents", "GET /consents/:ref", "GET /contact", "GET /continuations/:ref", "GET /continuations/:ref/live"],
  ["GET /destinations", "GET /inbox", "GET /passkeys", "GET /practice", "GET /receipts", "GET /session", "GET /tasks"],
  ["GET /tasks/:id", "GET /tasks/:id/bundle", "GET /tasks/:id/records", "GET /tasks/:id/records/:record"],
  ["POST /accounts/:ref/details", "POST /accounts/:ref/details/:detail/remove", "POST /accounts/:ref/disconnect"],
  ["POST /agents/:id/decision", "POST /agents/:id/revoke", "POST /approvals/:id/decision"],
  ["POST /authorities/:id/enrol", "POST /authorities/:id/remove", "POST /connections", "POST /consents/:ref/decision"],
  ["POST /consents/:ref/narrow", "POST /consents/:ref/revoke", "POST /contact/email", "POST /contact/email/confirm"],
  ["POST /contact/email/remove", "POST /continuations/:ref/begin", "POST /continuations/:ref/complete"],
  [
    "POST /continuations/:ref/form",
    "POST /continuations/:ref/returned",
    "POST /passkeys/begin",
    "POST /passkeys/confirm/begin",
  ],
  ["POST /passkeys/confirm/finish", "POST /passkeys/finish", "POST /passkeys/remove", "POST /passkeys/rename"],
  ["POST /practice", "POST /session/end", "POST /sessions/end", "POST /sessions/end-all", "POST /sign-in-events/seen"],
  ["POST /tasks/:id/looked", "POST /tasks/:id/withdraw"],
);

/** The switches of a demonstration are registered in one alone, by the same function as all the others. */
const SERVED = HOLDER.filter((route) => !route.endsWith("/practice") && route !== "POST /sign-in/outside/begin");

const CONSOLE = { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES };
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let routes: readonly { readonly method: string; readonly url: string }[];

beforeAll(async () => {
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  ready = await readyWorld({ console: CONSOLE });
  const app = await createServer({
    core: ready.world.gateway.core,
    port: {} as never,
    oauth: {} as never,
    calling: undefined,
    handOffs: {} as never,
    changes: {} as never,
    contributed: { entries: [], noteCaller: () => {} },
    protocols: [],
    practice: {} as never,
    console: CONSOLE,
    isReady: () => true,
  });
  routes = routesOf(app);
  await app.close();
});
afterAll(() => ready.world.close());

it("PLG-1 every place of the server's own is closed to plugins", () => {
  for (const { url } of routes) expect(isOwnPath(url), url).toBe(true);
});

const unknownPath = (url: string): string => url.replaceAll(/:[a-z]+|\*/g, "unknownunknownunknown1");
const issuer = () => ready.world.issuer;

/** What U36 and its relatives ask of each and every answer. */
function expectGuards(headers: Reply["headers"], what: string): void {
  const policy = String(headers["content-security-policy"]);
  expect(policy, what).toContain("frame-ancestors 'none'");
  expect(policy, what).toMatch(/^default-src 'none'/);
  expect(policy, what).toContain("base-uri 'none'");
  expect(policy, what).not.toMatch(/unsafe|\*|https?:/);
  expect(headers, what).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  });
  // What the authorization server says of itself is for everybody to read.
  if (!OAUTH.some((url) => what.includes(url)) && !what.includes("/oauth/"))
    expect(headers["access-control-allow-origin"], what).toBeUndefined();
  expect(headers["server"] ?? headers["x-powered-by"], what).toBeUndefined();
}

describe("every route", () => {
  it("is in the lists of this test", () => {
    const found = new Set(routes.map(({ method, url }) => `${method === "HEAD" ? "GET" : method} ${url}`));
    const listed = new Set([
      ...[...PAGES, ...PUBLIC].map((url) => `GET ${url}`),
      ...OAUTH.flatMap((url) => [`GET ${url}`, `POST ${url}`]),
      ...AGENT,
      ...[...OPEN, ...HOLDER].map((route) => route.replace(" ", " /trusted/v1")),
    ]);
    expect([...found].filter((route) => !listed.has(route)).sort()).toEqual([]);
    expect([...listed].filter((route) => !found.has(route)).sort()).toEqual([]);
  });

  it("U36 has the guards on its answer, whatever the answer is", async () => {
    for (const { method, url } of routes) {
      if (method === "GET" && url === "/trusted/v1/changes") continue;
      const what = `${method} ${url}`;
      const path = unknownPath(url);
      for (const headers of [
        {},
        { ...pageHeaders(issuer()), cookie: "__Host-countersign=rubbish" },
        { authorization: "Bearer rubbish", "content-type": "application/json" },
      ]) {
        const reply = await send(issuer(), method, path, { headers });
        expectGuards(reply.headers, `${what} ${reply.status}`);
        expect(reply.status, what).not.toBe(500);
        if (url.startsWith("/trusted/") || url.startsWith("/v1/") || url.startsWith("/oauth"))
          expect(reply.headers["cache-control"], what).toMatch(/no-store/);
      }
    }
  });

  it("U36 so has what is no route: unknown paths, methods, hosts, undecodable and overlong addresses", async () => {
    const cases: [string, string, Record<string, string>][] = [
      ["GET", "/nothing-here", {}],
      ["POST", "/trusted/v1/nothing", pageHeaders(issuer())],
      ["DELETE", "/trusted/v1/session", {}],
      ["PUT", "/v1/tasks", {}],
      ["TRACE", "/", {}],
      ["GET", "/%zz", {}],
      ["GET", "/trusted/v1/tasks/%E0%A4%A", {}],
      ["GET", `/v1/tasks/${"a".repeat(300)}`, {}],
      ["GET", `/${"a".repeat(5_000)}`, {}],
      ["GET", "/", { host: "evil.example" }],
      ["GET", "/", { host: `127.0.0.1:${new URL(issuer()).port}` }],
      ["POST", "/v1/tasks", { host: `127.0.0.1:${new URL(issuer()).port}` }],
      ["GET", "/assets/../../package.json", {}],
      ["GET", "/assets/%2e%2e%2f%2e%2e%2fpackage.json", {}],
      ["GET", "/assets/", {}],
    ];
    for (const [method, path, headers] of cases) {
      const reply = await send(issuer(), method, path, { headers }).catch(() => undefined);
      assert(reply !== undefined, `${method} ${path} is answered`);
      expectGuards(reply.headers, `${method} ${path.slice(0, 60)} ${reply.status}`);
      expect([307, 400, 403, 404, 414], `${method} ${path.slice(0, 60)}`).toContain(reply.status);
      expect(reply.text).not.toContain("countersign-workspace");
    }
  });

  it("U36 so have static files, bodies that are too large or of another sort, and refused sockets", async () => {
    const page = await send(issuer(), "GET", "/");
    const script = /\/assets\/[\w.-]+\.js/.exec(page.text)?.[0] ?? "";
    const asset = await send(issuer(), "GET", script);
    expect(asset.status).toBe(200);
    expectGuards(asset.headers, script);
    expect(asset.headers["cache-control"]).toContain("immutable");
    expect(page.headers["content-security-policy"]).toMatch(/require-trusted-types-for 'script'; trusted-types 'none'/);
    expect(page.text).not.toMatch(/<style|<script>|style=|\son[a-z]+=/);
    const big = "x".repeat(4 * 1024 * 1024);
    const large = await ready.person.post("/connections", big).catch(() => undefined);
    if (large !== undefined) expectGuards(large.headers, "too large");
    const other = await ready.person.post("/connections", {}, { "content-type": "text/plain" });
    expect(other.status).toBe(415);
    expectGuards(other.headers, "another sort");
    const handshake =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    for (const path of ["/trusted/v1/continuations/cont_unknownunknown/live", "/nothing", "/v1/tasks"]) {
      for (const origin of ["https://evil.example", issuer()]) {
        const text = await sendRaw(
          issuer(),
          `GET ${path} HTTP/1.1\r\nHost: ${new URL(issuer()).host}\r\nOrigin: ${origin}\r\nCookie: ${ready.person.cookie}\r\n${handshake}\r\n`,
          1_500,
        );
        expect(text, path).toMatch(/^HTTP\/1\.1 4\d\d/);
        expectGuards(headersOf(text), `socket ${path}`);
      }
    }
  });
});

function headersOf(raw: string): Reply["headers"] {
  const [head = ""] = raw.split("\r\n\r\n");
  return Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

describe("what is no request, or a crooked one", () => {
  const host = () => new URL(issuer()).host;
  const smuggled = "GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n";
  it.each([
    ["two lengths", "POST /v1/tasks HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"],
    [
      "a length and chunks",
      "POST /v1/tasks HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a strange coding", "POST /v1/tasks HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\n\r\n"],
    ["a space before the colon", "GET / HTTP/1.1\r\nHost : HOST\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nHost: HOST\r\nX: a\r\n b\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n"],
    ["an absolute target elsewhere", "GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n"],
    ["a header of 64 kB", `GET / HTTP/1.1\r\nHost: HOST\r\nX: ${"a".repeat(64 * 1024)}\r\n\r\n`],
    ["a line that is none", "hello there\r\n\r\n"],
    ["a NUL in a header", "GET / HTTP/1.1\r\nHost: HOST\r\nX: a\u0000b\r\n\r\n"],
  ])("%s: refused with every guard, and whatever follows on that connection is not answered", async (_name, bytes) => {
    const text = await sendRaw(issuer(), (bytes + smuggled).replaceAll("HOST", host()));
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expectGuards(headersOf(text), text.slice(0, 80));
    expect(text).not.toContain('{"ok":true}');
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).not.toContain("evil");
  });

  it("a head or a body that does not come is not waited for", async () => {
    const socket = connect(Number(new URL(issuer()).port), "127.0.0.1");
    socket.write(`POST /v1/tasks HTTP/1.1\r\nHost: ${host()}\r\n`);
    const began = performance.now();
    const text = await new Promise<string>((resolve) => {
      let got = "";
      socket.on("data", (part: Buffer) => {
        got += part.toString("latin1");
      });
      socket.on("close", () => resolve(got));
      socket.on("error", () => {});
    });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(text).toMatch(/^HTTP\/1\.1 408/);
    expectGuards(headersOf(text), "slow");
  });
});

describe("U35 where a change comes from", () => {
  const posts = () =>
    [...OPEN, ...SERVED].filter((route) => route.startsWith("POST")).map((r) => unknownPath(r.slice(5)));
  it("every change is refused from another origin, another site, without our header, and with an agent's token", async () => {
    for (const path of posts()) {
      for (const [what, change] of [
        ["another origin", { origin: "https://evil.example" }],
        ["no origin that is ours", { origin: "null" }],
        ["another port", { origin: "http://localhost:1" }],
        ["another site", { "sec-fetch-site": "cross-site" }],
        ["a sister site", { "sec-fetch-site": "same-site" }],
        ["an agent's token", { authorization: `Bearer ${ready.agent.token}` }],
      ] as const) {
        const reply = await ready.person.post(path, {}, change);
        expect(reply.status, `${path} ${what}`).toBe(403);
      }
    }
    expect((await ready.person.get("/session")).status).toBe(200);
  });

  it("a page token of another session is refused, on every change: an attacker's own, an earlier one, none", async () => {
    const attacker = await Person.signIn(ready.world);
    for (const path of SERVED.filter((route) => route.startsWith("POST")).map((r) => unknownPath(r.slice(5)))) {
      for (const token of [
        attacker.pageToken,
        "1",
        "",
        `${ready.person.pageToken}x`,
        ready.person.cookie.split("=")[1] ?? "",
      ]) {
        const reply = await ready.person.post(path, {}, { "x-countersign": token });
        expect(reply.status, `${path} ${token}`).toBe(403);
      }
    }
    expect((await ready.person.get("/session")).status).toBe(200);
    expect((await attacker.post("/session/end")).status).toBe(204);
  });

  it("reading is refused from elsewhere too, and nothing of ours is readable with only a page token", async () => {
    for (const route of SERVED.filter((r) => r.startsWith("GET"))) {
      const path = `/trusted/v1${unknownPath(route.slice(4))}`;
      const headers = { cookie: ready.person.cookie };
      for (const change of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
        const reply = await send(issuer(), "GET", path, { headers: { ...headers, ...change } });
        expect(reply.status, path).toBe(403);
      }
      const half = await send(issuer(), "GET", path, {
        headers: { cookie: `__Host-countersign-page=${ready.person.pageToken}` },
      });
      expect([401, 403], path).toContain(half.status);
    }
  });
});

describe("AUT-1 REQ-2 U40 what is somebody else's answers as what does not exist", () => {
  it("on every route of the trusted interface and of the agents' API, in status, body and headers", async () => {
    const taskId = String((await ready.agent.post("/v1/tasks", orderRequest(ready))).json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    const begun = await ready.person.post("/connections", { destination: "practice-shop", route: "http" });
    const other = await strangers();
    const sessions = await inStore(ready.world.gateway, (db) =>
      db
        .selectFrom("person_session")
        .select("session_hash")
        .where("person_id", "=", ready.world.gateway.owner.personId)
        .execute(),
    );
    const action = view["action"] as { private: { display_text: string } };
    const asked = (await ready.person.get(`/consents/${ready.consentRef}`)).json["asked"] as JsonObject;
    const scope = { ...asked, expires_at: hoursAhead(1) };
    const decision = {
      decision: "denied",
      action_digest: view["action_digest"],
      surface: { version: "1", display_digest: action.private.display_text },
    };
    const mine: Readonly<Record<string, string>> = {
      "/accounts/": ready.accountRef,
      "/agents/": ready.agent.clientId,
      "/approvals/": String(view["action_id"]),
      "/consents/": ready.consentRef,
      "/continuations/": String(begun.json["continuation_ref"]),
      "/tasks/": taskId,
    };
    const bodies: Readonly<Record<string, object>> = {
      "/accounts/:ref/details": { kind: "fulfillment", label: "Home", value: "1 Street" },
      "/agents/:id/decision": { decision: "accept" },
      "/approvals/:id/decision": decision,
      "/consents/:ref/decision": { decision: "refuse" },
      "/consents/:ref/narrow": scope,
      "/continuations/:ref/form": { values: { email: "a@b.example" } },
      "/tasks/:id/looked": { found: "done" },
    };
    const pairs: [string, () => Promise<Reply>, () => Promise<Reply>][] = [];
    for (const route of HOLDER) {
      const [method = "", url = ""] = route.split(" ");
      const family = Object.keys(mine).find((prefix) => url.startsWith(prefix));
      if (family === undefined || !url.includes(":")) continue;
      const ref = mine[family] ?? "";
      const to = (id: string) => url.replace(/:[a-z]+/, id).replaceAll(/:[a-z]+/g, ready.fulfillmentRef);
      const unknown = `${ref.slice(0, -8)}${"Zz0Zz0Zz".slice(0, 8)}`;
      const call = (id: string) => () =>
        method === "GET" ? other.person.get(to(id)) : other.person.post(to(id), bodies[url] ?? {});
      pairs.push([route, call(ref), call(unknown)]);
    }
    for (const route of AGENT) {
      const [method = "", url = ""] = route.split(" ");
      const family = Object.keys(mine).find((prefix) => url.startsWith(`/v1${prefix}`));
      if (family === undefined || !url.includes(":")) continue;
      const ref = mine[family] ?? "";
      const unknown = `${ref.slice(0, -8)}${"Zz0Zz0Zz".slice(0, 8)}`;
      const call = (id: string) => () =>
        method === "GET"
          ? other.agent.get(url.replace(":id", id))
          : other.agent.post(url.replace(":id", id), { evidence: "x" });
      pairs.push([route, call(ref), call(unknown)]);
    }
    const [session] = sessions;
    assert(session !== undefined, "somebody's session");
    const end = (ref: string) => () => other.person.post("/sessions/end", { session_ref: ref });
    pairs.push(["POST /sessions/end", end(session.session_hash), end(`${session.session_hash.slice(0, -4)}AAAA`)]);
    expect(pairs.length).toBeGreaterThan(25);
    for (const [route, foreign, unknown] of pairs) {
      const [one, two] = [await foreign(), await unknown()];
      expect(one.status, route).toBeGreaterThanOrEqual(400);
      expect(one.status, `${route} ${one.text}`).toBe(two.status);
      expect(one.text, route).toBe(two.text);
      expect({ ...one.headers, date: "" }, route).toEqual({ ...two.headers, date: "" });
    }
    expect((await ready.person.approvalFor(taskId))["status"]).toBe("pending");
    expect((await ready.person.get("/session")).status).toBe(200);
  });
});

async function strangers(): Promise<{ readonly person: Person; readonly agent: Agent }> {
  const { world } = ready;
  const added = await askGateway(world.dataDir, { command: "person_add", name: "Somebody else" });
  assert(added.ok, "another person");
  const personId = String(added.value["person_id"]);
  const link = await askGateway(world.dataDir, { command: "link", person_id: personId });
  assert(link.ok, "a link");
  const person = await Person.withLink(world, String(link.value["url"]).split("#")[1] ?? "");
  const asked = await askGateway(world.dataDir, { command: "agent_add", name: "Theirs", person_id: personId });
  assert(asked.ok, "an agent");
  const clientId = String(asked.value["client_id"]);
  await person.post(`/agents/${clientId}/decision`, { decision: "accept" });
  const { takeToken } = await import("./support/agent.ts");
  return { person, agent: await takeToken(world, clientId) };
}

describe("an agent's streams", () => {
  it("are bounded, and end at once when it is revoked", async () => {
    const own = await readyWorld();
    try {
      const taskId = String((await own.agent.post("/v1/tasks", orderRequest(own))).json["task_id"]);
      await own.agent.reaches(taskId, "approval_required");
      const { host, port } = new URL(own.world.issuer);
      const ended: boolean[] = [];
      const heads: string[] = [];
      for (let i = 0; i < AGENT_STREAMS_MAX + 3; i += 1) {
        const socket = connect(Number(port), "127.0.0.1");
        socket.write(
          `GET /v1/tasks/${taskId}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${own.agent.token}\r\n\r\n`,
        );
        socket.on("data", (part: Buffer) => {
          heads[i] ??= part.toString("latin1").slice(0, 12);
          if (part.toString("latin1").endsWith("0\r\n\r\n")) ended[i] = true;
        });
        socket.on("error", () => {});
        await until(
          async () => heads[i],
          (head) => head !== undefined,
          "an answer",
        );
      }
      expect(heads.filter((head) => head.endsWith("200"))).toHaveLength(AGENT_STREAMS_MAX);
      expect(heads.filter((head) => head.endsWith("429"))).toHaveLength(3);
      // The row alone: revoking in full would also end the task, and with it the stream.
      await inStore(own.world.gateway, (db) =>
        db.updateTable("agent").set({ state: "revoked" }).where("client_id", "=", own.agent.clientId).execute(),
      );
      const began = performance.now();
      await until(
        async () => ended.filter(Boolean).length,
        (n) => n >= AGENT_STREAMS_MAX,
        "the streams to end",
      );
      expect(performance.now() - began).toBeLessThan(5_000);
    } finally {
      await own.world.close();
    }
  });
});

describe("a flood", () => {
  it("of rubbish credentials is counted as one, and keeps neither the person nor the agent out", async () => {
    const own = await readyWorld();
    try {
      const statuses: number[] = [];
      for (let round = 0; round < 65; round += 1) {
        const replies = await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            send(own.world.issuer, "GET", "/v1/tasks", { headers: { authorization: `Bearer rubbish-${round}-${i}` } }),
          ),
        );
        statuses.push(...replies.map((r) => r.status));
      }
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
      const limited = await send(own.world.issuer, "GET", "/v1/tasks", { headers: { authorization: "Bearer more" } });
      expect(limited.status).toBe(429);
      expectGuards(limited.headers, "429");
      expect((await own.agent.get("/v1/tasks")).status).toBe(200);
      expect((await own.person.get("/inbox")).status).toBe(200);
      // Who is not signed in yet still can, and revoke.
      const again = await Person.signIn(own.world);
      expect((await again.post(`/agents/${own.agent.clientId}/revoke`)).status).toBe(200);
    } finally {
      await own.world.close();
    }
  });

  it("of rubbish session cookies is counted as one too", async () => {
    const own = await openWorld();
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 620; i += 1)
        statuses.push(
          (await send(own.issuer, "GET", "/trusted/v1/inbox", { headers: { cookie: `__Host-countersign=r${i}` } }))
            .status,
        );
      expect(statuses.slice(0, 500).every((status) => status === 401)).toBe(true);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await own.close();
    }
  });
});

it("an issuer by https is never asked without TLS again", async () => {
  const { securityHeaders } = await import("../packages/gateway/src/http/security-headers.ts");
  const named = (issuerName: string) =>
    securityHeaders(issuerName).find(([name]) => name === "strict-transport-security");
  expect(named("https://gate.example")?.[1]).toBe("max-age=31536000");
  expect(named("http://localhost:4600")).toBeUndefined();
});

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AnySiteEntry, Ctx, Destination } from "@countersign/plugin";
import { assert, instant, secret } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpRoute, type HttpSession, type HttpSignIn, type HttpSite } from "../src/index.ts";

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");
const MATERIAL = secret(JSON.stringify({ v: 1, token: "t0ken-of-alex" }));
const COMMIT = { method: "POST", path: "/api/orders" } as const;

interface Site {
  readonly origin: string;
  readonly seen: IncomingMessage[];
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function site(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert(address !== null && typeof address === "object", "a port");
  return { origin: `http://127.0.0.1:${address.port}`, seen };
}

/** A `fetch` of a worse egress than ours: it would follow redirects if the request let it. */
function ctxWith(logged: string[] = []): Ctx {
  const log = (event: string, fields?: object) => void logged.push(JSON.stringify({ event, ...fields }));
  const ctx: Partial<Ctx> = {
    now: () => instant(NOW_MS),
    log: { debug: log, info: log, warn: log, error: log },
    fetch: (request) => fetch(request),
    withIdentity: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("x-badge", `${request.method} ${new URL(request.url).pathname}`);
      return new Request(request, { headers });
    },
  };
  return ctx as Ctx;
}

function destinationAt(origin: string, entry: Partial<HttpSite> = {}): Destination {
  const signIn: HttpSignIn = { fields: [], submit: async () => ({ kind: "refused", message: "no" }) };
  const whole: HttpSite = { route: "http", signIn, identify: async () => undefined, operations: [], ...entry };
  const kept: AnySiteEntry = whole;
  return { id: "site", title: "Site", origin, alsoOrigins: [], entry: kept, commits: [COMMIT] };
}

async function sessionAt(origin: string): Promise<HttpSession> {
  const opened = await createHttpRoute().open(ctxWith(), destinationAt(origin), MATERIAL);
  assert(opened.ok && opened.value.session.kind === "http", "the session opens");
  return opened.value.session as HttpSession;
}

const json = (status: number, body: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(body);

describe("a session at a site's API", () => {
  it("asks with the account's token and reads strict JSON", async () => {
    const { origin, seen } = await site(json(200, '{"total_minor":4990}'));
    const session = await sessionAt(origin);
    const answer = await session.fetch("/api/me?x=1");
    expect(answer).toEqual({ kind: "answer", status: 200, json: { total_minor: 4990 } });
    expect(seen[0]?.headers.authorization).toBe("Bearer t0ken-of-alex");
    expect(seen[0]?.url).toBe("/api/me?x=1");
    expect(seen[0]?.headers["x-badge"]).toBe("GET /api/me");
  });

  it.each([
    ["twice the same name", '{"total":1,"total":2}'],
    ["an amount that no double holds", '{"total":9007199254740993}'],
    ["half a document", '{"total":'],
    ["a page", "<html></html>"],
  ])("U55 %s is no JSON", async (_, body) => {
    const { origin } = await site(json(200, body));
    expect(await (await sessionAt(origin)).fetch("/api/me")).toEqual({ kind: "answer", status: 200 });
  });

  it("says when it is signed out", async () => {
    const { origin } = await site(json(401, '{"error":"unauthenticated"}'));
    expect(await (await sessionAt(origin)).fetch("/api/me")).toEqual({ kind: "signed_out" });
  });

  it("U51 follows no redirect and takes the token nowhere else", async () => {
    const other = await site(json(200, "{}"));
    const { origin } = await site((_, response) => {
      response.writeHead(307, { location: `${other.origin}/steal` }).end();
    });
    expect(await (await sessionAt(origin)).fetch("/api/me")).toEqual({ kind: "answer", status: 307 });
    expect(other.seen).toEqual([]);
  });

  it.each(["//other.example/api", "https://other.example/", "api/me", "/\\other.example"])(
    "U51 refuses to go to %s",
    async (path) => {
      const { origin, seen } = await site(json(200, "{}"));
      await expect((await sessionAt(origin)).fetch(path)).rejects.toThrow(/API path/);
      expect(seen).toEqual([]);
    },
  );

  it("a cut answer is trouble, and the trouble tells nothing of the request", async () => {
    const { origin } = await site((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{");
      response.socket?.destroy();
    });
    const error = await (await sessionAt(origin)).fetch("/api/me").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SiteTrouble", message: "the site's API gave no whole answer" });
    expect(error).not.toHaveProperty("cause");
  });

  it.each(["/api/orders", "/api/orders/", "/api/%6frders", "/api/orders?x"])(
    "APR-5 a commit never leaves by fetch: %s",
    async (path) => {
      const { origin, seen } = await site(json(200, "{}"));
      const session = await sessionAt(origin);
      await expect(session.fetch(path, { method: "POST", body: {} })).rejects.toThrow(/held, never fetched/);
      expect(seen).toEqual([]);
    },
  );

  it("APR-5 a held commit is whole, and unsent", async () => {
    const { origin, seen } = await site(json(200, "{}"));
    const session = await sessionAt(origin);
    const held = await session.hold("/api/orders", { body: { quote: "q" }, headers: { "idempotency-key": "k" } });
    const { method, url, headers, body } = held.request;
    expect({ method, url }).toEqual({ method: "POST", url: `${origin}/api/orders` });
    expect(Object.fromEntries(headers.map(([name, value]) => [name, value.reveal()]))).toEqual({
      accept: "application/json",
      "accept-encoding": "identity",
      "content-type": "application/json",
      "idempotency-key": "k",
      authorization: "Bearer t0ken-of-alex",
    });
    expect(new TextDecoder().decode(body.reveal())).toBe('{"quote":"q"}');
    await held.abandon();
    expect(seen).toEqual([]);
    expect(JSON.stringify(held)).not.toContain("t0ken");
  });

  it("only a declared commit is held", async () => {
    const session = await sessionAt("http://127.0.0.1:9");
    await expect(session.hold("/api/other", { body: {} })).rejects.toThrow(/declared commit/);
  });

  it("AUT-4 names its token as what must not reach an agent", async () => {
    const opened = await createHttpRoute().open(ctxWith(), destinationAt("http://127.0.0.1:9"), MATERIAL);
    assert(opened.ok, "the session opens");
    expect((await opened.value.secrets()).map((each) => each.reveal())).toEqual(["t0ken-of-alex"]);
    expect(await opened.value.material()).toBeUndefined();
  });

  it.each([
    ["of another version", { v: 9, token: "t0ken" }, "unreadable"],
    ["that has run out", { v: 1, token: "t0ken", expires_at: "2026-11-30T12:00:00Z" }, "expired"],
  ])("material %s asks for sign-in", async (_, material, why) => {
    const logged: string[] = [];
    const kept = secret(JSON.stringify(material));
    const opened = await createHttpRoute().open(ctxWith(logged), destinationAt("http://127.0.0.1:9"), kept);
    expect(opened).toEqual({ ok: false, reason: "sign_in" });
    expect(logged.join()).toContain(why);
    expect(logged.join()).not.toContain("t0ken");
  });
});

describe("signing in by a form", () => {
  const token = secret("new-token");
  const signIn: HttpSignIn = {
    fields: [{ name: "email", label: "Email", kind: "email" }],
    async submit(_ctx, http) {
      const first = await http.fetch("/session", { method: "POST", body: {} });
      if (first.status !== 200) return { kind: "refused", message: "no" };
      return {
        kind: "more",
        fields: [{ name: "code", label: "Code", kind: "code" }],
        next: async () => ({ kind: "signed_in", material: { token } }),
      };
    },
  };
  const identity = { name: "Alex", details: [] };

  async function begin(origin: string, identify: HttpSite["identify"], form: HttpSignIn = signIn) {
    const destination = destinationAt(origin, { signIn: form, identify });
    const begun = await createHttpRoute().beginSignIn(ctxWith(), destination, {
      take: () => Promise.reject(new Error("the gateway counts the tries of a form itself")),
    });
    assert(begun.ok && begun.value.mode === "form", "a form");
    return begun.value;
  }

  it("goes from step to step, asks the site who it is, and keeps the token", async () => {
    const { origin, seen } = await site(json(200, "{}"));
    const form = await begin(origin, async (_, session) => {
      await session.fetch("/me");
      return identity;
    });
    expect(await form.submit(new Map())).toMatchObject({ kind: "more", fields: [{ name: "code" }] });
    const answer = await form.submit(new Map());
    assert(answer.kind === "done", "signed in");
    expect(answer.verified.identity).toEqual(identity);
    expect(answer.verified.material.reveal()).toBe('{"v":1,"token":"new-token"}');
    expect(seen.map((each) => each.headers.authorization)).toEqual([undefined, "Bearer new-token"]);
  });

  it("U44 without the site's word for whose account it is there is no connection", async () => {
    const { origin } = await site(json(200, "{}"));
    const form = await begin(origin, async () => undefined);
    await form.submit(new Map());
    expect(await form.submit(new Map())).toMatchObject({ kind: "refused" });
  });

  it("a site that does not answer refuses nothing for good: the same step is tried again", async () => {
    let up = false;
    const { origin } = await site((request, response) => {
      if (up) json(200, "{}")(request, response);
      else request.socket.destroy();
    });
    const form = await begin(origin, async () => identity);
    expect(await form.submit(new Map())).toMatchObject({ kind: "refused" });
    up = true;
    expect(await form.submit(new Map())).toMatchObject({ kind: "more" });
  });

  it("signing in commits nothing", async () => {
    const { origin, seen } = await site(json(200, "{}"));
    const form = await begin(origin, async () => identity, {
      fields: [],
      submit: async (_, http) => {
        await http.fetch("/api/orders", { method: "POST" });
        return { kind: "refused", message: "" };
      },
    });
    await expect(form.submit(new Map())).rejects.toThrow(/commits nothing/);
    expect(seen).toEqual([]);
  });
});

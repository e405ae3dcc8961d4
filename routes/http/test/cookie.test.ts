import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Ctx, Destination } from "@countersign/plugin";
import { assert, instant, type Secret, secret } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import { type CookieSignIn, createHttpRoute, type HttpSession, type HttpSite } from "../src/index.ts";

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");
const COMMIT = { method: "POST", path: "/api/claims" } as const;
const MATERIAL = secret(JSON.stringify({ v: 4, name: "sid", value: "c0-of-alex" }));

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function site(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.cookie} ${request.headers.authorization}`);
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

const logged: string[] = [];
function ctx(): Ctx {
  const log = (event: string, fields?: object) => void logged.push(JSON.stringify({ event, ...fields }));
  const made: Partial<Ctx> = {
    now: () => instant(NOW_MS),
    log: { debug: log, info: log, warn: log, error: log },
    fetch: (request) => fetch(request),
    withIdentity: async (request) => request,
  };
  return made as Ctx;
}

const signIn: CookieSignIn = {
  kind: "cookie",
  cookie: "sid",
  signInPath: "/sign-in",
  fields: [{ name: "password", label: "Password", kind: "password" }],
  async submit(_ctx, http) {
    const first = await http.fetch("/api/session", { method: "POST", body: {} });
    if (first.status !== 200) return { kind: "refused", message: "no" };
    return {
      kind: "more",
      fields: [{ name: "code", label: "Code", kind: "code" }],
      next: async (_, then) => {
        await then.fetch("/api/session/code", { method: "POST", body: {} });
        return { kind: "signed_in_by_cookie" };
      },
    };
  },
};

function destinationAt(origin: string, identify: HttpSite["identify"] = async () => undefined): Destination {
  const entry: HttpSite = { route: "http", signIn, identify, operations: [] };
  return {
    id: "insurer",
    title: "Insurer",
    origin,
    alsoOrigins: [],
    entry: entry as Destination["entry"],
    commits: [COMMIT],
  };
}

const ok200 = (response: ServerResponse, cookies: readonly string[] = []) =>
  void response
    .writeHead(200, {
      "content-type": "application/json",
      ...(cookies.length > 0 ? { "set-cookie": [...cookies] } : {}),
    })
    .end("{}");

describe("signing in by a form that brings a cookie", () => {
  it("each step carries the cookie of the one before; only the named one is kept, and of whoever it is", async () => {
    const { origin, seen } = await site((request, response) => {
      if (request.url === "/api/session") return ok200(response, ["sid=c0; Path=/", "track=t; Path=/"]);
      if (request.url === "/api/session/code") return ok200(response, ["sid=c1; Path=/; HttpOnly; Secure"]);
      return ok200(response, ["sid=c2; Path=/"]);
    });
    const begun = await createHttpRoute().beginSignIn(
      ctx(),
      destinationAt(origin, async (_, session) => {
        await session.fetch("/api/me");
        return { name: "Alex", details: [] };
      }),
      { take: () => Promise.reject(new Error("the gateway counts the tries of a form itself")) },
    );
    assert(begun.ok && begun.value.mode === "form", "a form");
    expect(await begun.value.submit(new Map())).toMatchObject({ kind: "more" });
    const done = await begun.value.submit(new Map());
    assert(done.kind === "done", "signed in");
    expect(done.verified.material.reveal()).toBe('{"v":4,"name":"sid","value":"c2"}');
    expect(seen).toEqual([
      "POST /api/session undefined undefined",
      "POST /api/session/code sid=c0 undefined",
      "GET /api/me sid=c1 undefined",
    ]);
  });

  it("without a cookie of this name nobody is signed in", async () => {
    const { origin } = await site((_, response) => ok200(response, ["other=1"]));
    const begun = await createHttpRoute().beginSignIn(
      ctx(),
      destinationAt(origin, async () => ({ name: "Alex", details: [] })),
      { take: async () => ({ kind: "go", left: 9 }) },
    );
    assert(begun.ok && begun.value.mode === "form", "a form");
    await begun.value.submit(new Map());
    expect(await begun.value.submit(new Map())).toMatchObject({ kind: "refused" });
  });
});

describe("a session by a cookie", () => {
  async function open(origin: string, written: Secret<string>[]) {
    const kept = {
      read: async () => written.at(-1),
      write: async (material: Secret<string>) => {
        written.push(material);
        return true;
      },
    };
    const opened = await createHttpRoute().open(ctx(), destinationAt(origin), MATERIAL, kept);
    assert(opened.ok && opened.value.session.kind === "http", "the session opens");
    return { open: opened.value, session: opened.value.session as HttpSession };
  }

  it("U48 goes on with a changed cookie in the next request and in the commit that is held; its answer too is looked at", async () => {
    const written: Secret<string>[] = [];
    const { origin, seen } = await site((_, response) => ok200(response, ["sid=c1-rotated; Path=/"]));
    const { open: opened, session } = await open(origin, written);
    await session.fetch("/api/me");
    await session.fetch("/api/me");
    expect(seen).toEqual(["GET /api/me sid=c0-of-alex undefined", "GET /api/me sid=c1-rotated undefined"]);
    const held = await session.hold("/api/claims", { body: {} });
    const cookie = held.request.headers.find(([name]) => name === "cookie")?.[1].reveal();
    expect(cookie).toBe("sid=c1-rotated");
    expect(held.request.headers.some(([name]) => name === "authorization")).toBe(false);
    await held.answer({ status: 201, headers: [["Set-Cookie", "sid=c2-after"]], body: new Uint8Array() });
    expect(written.map((each) => each.reveal())).toEqual([
      '{"v":4,"name":"sid","value":"c1-rotated"}',
      '{"v":4,"name":"sid","value":"c2-after"}',
    ]);
    expect((await opened.secrets()).map((each) => each.reveal())).toEqual(["c0-of-alex", "c1-rotated", "c2-after"]);
    expect(logged.join()).not.toMatch(/c0-of-alex|c1-rotated|c2-after/);
  });

  it.each([
    [401, {}],
    [302, { location: "/sign-in" }],
  ])("MFA-1 %i is the person's turn: a read is not tried again, and a POST is not either", async (status, headers) => {
    const { origin, seen } = await site((_, response) => void response.writeHead(status, headers).end());
    const { session } = await open(origin, []);
    expect(await session.fetch("/api/me")).toEqual({ kind: "signed_out" });
    expect(await session.fetch("/api/quotes", { method: "POST", body: {} })).toEqual({ kind: "signed_out" });
    expect(seen).toHaveLength(2);
  });

  it("an adapter puts no cookie of its own beside it", async () => {
    const { origin, seen } = await site((_, response) => ok200(response));
    const { session } = await open(origin, []);
    await session.fetch("/api/me", { headers: { Cookie: "sid=mine" } });
    expect(seen).toEqual(["GET /api/me sid=c0-of-alex undefined"]);
    await expect(session.hold("/api/claims", { body: {}, headers: { Cookie: "a=b" } })).rejects.toThrow(/credential/);
  });

  it("material of another kind asks for sign-in", async () => {
    for (const other of [
      { v: 1, token: "t0ken" },
      { v: 3, key: "a-long-key" },
    ]) {
      const kept = secret(JSON.stringify(other));
      const opened = await createHttpRoute().open(ctx(), destinationAt("http://127.0.0.1:9"), kept);
      expect(opened).toEqual({ ok: false, reason: "sign_in" });
    }
  });
});

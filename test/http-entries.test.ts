import { GATEWAY_ORIGIN, type HttpEntry } from "@countersign/plugin";
import { afterAll, beforeAll, expect, it } from "vitest";
import { send } from "./support/http.ts";
import { openWorld, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let ended: Promise<void>;
let end = (): void => {};

const entry = (path: string, more: Partial<HttpEntry> = {}) => ({
  plugin: "protocol.test",
  value: {
    origin: GATEWAY_ORIGIN,
    method: "POST",
    path,
    auth: "agent",
    handler: echo,
    ...more,
  } satisfies HttpEntry,
});

/** What a handler was given, and an answer that asks for more than it may. */
async function echo(request: Request): Promise<Response> {
  const headers = {
    "set-cookie": "__Host-session=stolen; Path=/; Secure",
    "content-security-policy": "default-src *",
    "x-frame-options": "ALLOWALL",
    "clear-site-data": '"*"',
    "cache-control": "private, max-age=1",
    "x-of-the-plugin": "yes",
  };
  return Response.json({ headers: Object.fromEntries(request.headers), body: await request.text() }, { headers });
}

beforeAll(async () => {
  ended = new Promise((resolve) => {
    end = resolve;
  });
  ready = await readyWorld({
    http: [
      entry("/echo"),
      entry("/open", { auth: "public" }),
      entry("/slow", {
        handler: (request) =>
          new Promise((resolve) => {
            request.signal.addEventListener("abort", () => {
              end();
              resolve(new Response(null, { status: 204 }));
            });
          }),
      }),
      entry("/fails", { handler: () => Promise.reject(new Error("a secret of the plugin")) }),
    ],
  });
});
afterAll(() => ready.world.close());

const post = async (path: string, headers: Record<string, string> = {}, body = "hello") =>
  send(ready.world.issuer, "POST", path, { headers: { "content-type": "text/plain", ...headers }, body });
const bearer = async (path: string) => ({
  authorization: `Bearer ${await ready.agent.tokenFor(`${ready.world.issuer}${path}`)}`,
});

it("AUT-3 a plugin's handler is given neither the token nor the person's session", async () => {
  const secrets = { ...(await bearer("/echo")), cookie: ready.person.cookie, "proxy-authorization": "Basic xyz" };
  const reply = await post("/echo", secrets);
  expect(reply.status).toBe(200);
  expect(reply.json["body"]).toBe("hello");
  const seen = JSON.stringify(reply.json);
  for (const [name, value] of Object.entries(secrets)) {
    expect(seen, name).not.toContain(value);
    expect(Object.keys(reply.json["headers"] as object)).not.toContain(name);
  }
  const open = await post("/open", { cookie: ready.person.cookie });
  expect([open.status, open.text.includes(ready.person.cookie)]).toEqual([200, false]);
});

it("U36 its answer stands under the server's own headers", async () => {
  const reply = await post("/echo", await bearer("/echo"));
  expect(reply.headers).toMatchObject({ "x-of-the-plugin": "yes", "cache-control": "private, max-age=1" });
  expect(reply.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  expect(reply.headers["x-frame-options"]).toBe("DENY");
  expect(reply.headers["set-cookie"]).toBeUndefined();
  expect(reply.headers["clear-site-data"]).toBeUndefined();
});

it("U52 what fails inside says nothing of why", async () => {
  const reply = await post("/fails", await bearer("/fails"));
  expect([reply.status, reply.text.includes("secret")]).toEqual([500, false]);
  expect(ready.world.logLines.join("\n")).not.toContain("a secret of the plugin");
});

it("hears when its caller has gone", async () => {
  const gone = new AbortController();
  const call = fetch(`${ready.world.issuer}/slow`, {
    method: "POST",
    headers: await bearer("/slow"),
    signal: gone.signal,
  });
  setTimeout(() => gone.abort(), 100);
  await expect(call).rejects.toThrow();
  await ended;
});

it("U50 a token for one entry is none for another", async () => {
  expect((await post("/echo", await bearer("/slow"))).status).toBe(401);
  expect((await post("/echo")).status).toBe(401);
});

it("PLG-1 a gateway whose plugins claim its own places, or one place twice, does not start", async () => {
  for (const http of [[entry("/trusted/v1/inbox")], [entry("/v1/tasks")], [entry("/x"), entry("/X")]])
    await expect(openWorld({ http })).rejects.toThrow("http_entries");
});

import { createServer, type Server, type Socket } from "node:net";
import { secret } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import { createEgress } from "./egress.ts";
import { createGuard, pinHost, type Resolve } from "./guard.ts";

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((s) => new Promise((resolve) => s.close(resolve))));
});

/** A raw server: what it does with a connection is the test's to say. */
async function raw(
  onConnection: (socket: Socket, received: () => string) => void,
): Promise<{ readonly origin: string; seen(): string }> {
  let text = "";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (part: Buffer) => {
      text += part.toString("latin1");
    });
    onConnection(socket, () => text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("listens");
  return { origin: `http://127.0.0.1:${address.port}`, seen: () => text };
}

const held = (url: string) => ({
  method: "POST",
  url,
  headers: [
    ["authorization", secret("Bearer t")],
    ["content-type", secret("text/plain")],
  ] as const,
  body: secret(new TextEncoder().encode("hello")),
});

const anyTime = () => true;
const open = (origin: string) => createEgress(createGuard({ namedOrigins: new Set([origin]) }));
const answerWith = (text: string) => raw((socket) => socket.once("data", () => socket.end(text)));

describe("STA-4 what a lost answer is, and what was never sent", () => {
  it("a whole answer is an answer, with every header as it came", async () => {
    const site = await answerWith(
      "HTTP/1.1 303 See Other\r\nLocation: /done\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nok",
    );
    const answer = await open(site.origin).sendOnce(held(`${site.origin}/commit?x=1`), anyTime);
    expect(answer).toMatchObject({ ok: true, value: { status: 303 } });
    expect(answer.ok && answer.value.headers.filter(([name]) => name === "Set-Cookie")).toHaveLength(2);
    expect(site.seen()).toMatch(/^POST \/commit\?x=1 HTTP\/1\.1\r\nhost: 127/);
    expect(site.seen()).toContain("connection: close");
    expect(site.seen().endsWith("hello")).toBe(true);
  });
  it.each([
    ["the connection closes without an answer", ""],
    ["the answer is no HTTP", "nonsense\r\n\r\n"],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-"],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"],
    ["a chunked body that never ends", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"],
  ])("%s: lost", async (_name, text) => {
    const site = await answerWith(text);
    expect(await open(site.origin).sendOnce(held(`${site.origin}/`), anyTime)).toEqual({ ok: false, reason: "lost" });
  });
  it("a connection that is reset after the request: lost", async () => {
    const site = await raw((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await open(site.origin).sendOnce(held(`${site.origin}/`), anyTime)).toEqual({ ok: false, reason: "lost" });
  });
  it.each([
    ["nobody listens", "http://127.0.0.1:1/"],
    ["no such name", "http://no-such-host.invalid/"],
    ["a TLS port that speaks no TLS", "tls"],
  ])("%s: not sent", async (_name, url) => {
    const site = await raw((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const target = url === "tls" ? site.origin.replace("http:", "https:") : url;
    expect(await open(new URL(target).origin).sendOnce(held(target), anyTime)).toEqual({
      ok: false,
      reason: "not_sent",
    });
  });
  it("STA-2 (engine pitfall 4) a worker that woke up too late: the connection stands, and no byte leaves", async () => {
    const site = await answerWith("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const sent = await open(site.origin).sendOnce(held(`${site.origin}/`), () => false);
    expect(sent).toEqual({ ok: false, reason: "not_sent" });
    expect(site.seen()).toBe("");
  });
  it("a redirect is an answer and is never followed", async () => {
    const second = await raw((socket) => socket.end());
    const site = await answerWith(`HTTP/1.1 307 T\r\nLocation: ${second.origin}/\r\nContent-Length: 0\r\n\r\n`);
    expect(await open(site.origin).sendOnce(held(`${site.origin}/`), anyTime)).toMatchObject({
      ok: true,
      value: { status: 307 },
    });
    expect(second.seen()).toBe("");
  });
});

describe("MAP-7 (U51) where nothing may go", () => {
  const resolving =
    (...addresses: readonly string[]): Resolve =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  it.each([
    "http://127.0.0.1/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
  ])("%s is refused", async (url) => {
    const egress = createEgress(createGuard({ namedOrigins: new Set() }));
    expect(await egress.sendOnce(held(url), anyTime)).toEqual({ ok: false, reason: "not_sent" });
  });
  it("a name with one private answer among public ones is refused", async () => {
    const guard = createGuard({ namedOrigins: new Set(), resolve: resolving("93.184.216.34", "127.0.0.1") });
    expect(await guard.pin({ hostname: "shop.example", port: 80, origin: "http://shop.example" })).toEqual({
      ok: false,
      reason: "forbidden_address",
    });
  });
  it("a name resolves once and its address is pinned; a named origin is exact", async () => {
    const guard = createGuard({ namedOrigins: new Set(["http://shop.test:8080"]), resolve: resolving("127.0.0.1") });
    expect((await guard.pin({ hostname: "shop.test", port: 8080, origin: "http://shop.test:8080" })).ok).toBe(true);
    expect((await guard.pin({ hostname: "shop.test", port: 8081, origin: "http://shop.test:8081" })).ok).toBe(false);
    expect((await pinHost(guard, "shop.test", 8080)).ok).toBe(true);
    expect((await pinHost(guard, "shop.test", 80)).ok).toBe(false);
  });
});

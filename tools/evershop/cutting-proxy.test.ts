import { createServer, request, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CuttingProxy, patternMatches, startCuttingProxy } from "./cutting-proxy.ts";

interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly host: string | undefined;
  readonly from: string | undefined;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookies: readonly string[];
}

let shop: Server;
let proxy: CuttingProxy;
let arrived: Arrived[];

beforeEach(async () => {
  arrived = [];
  shop = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const part of incoming) body += String(part);
    const from = incoming.headers["x-forwarded-for"];
    arrived.push({
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      host: incoming.headers.host,
      from: typeof from === "string" ? from : undefined,
      body,
    });
    outgoing.setHeader("Set-Cookie", ["a=1", "b=2"]);
    outgoing.setHeader("Content-Type", "text/html");
    outgoing.writeHead(201);
    outgoing.end(`got ${body}${incoming.headers.cookie ?? ""}`);
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", () => resolve()));
  const address = shop.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  proxy = await startCuttingProxy(`http://127.0.0.1:${address.port}`);
});

afterEach(async () => {
  await proxy.stop();
  await new Promise<void>((resolve) => shop.close(() => resolve()));
});

/** One request on a connection of its own; "cut" when the connection closed without one byte of an answer. */
function send(
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | "cut"> {
  return new Promise((resolve) => {
    const outgoing = request(`${proxy.origin}${path}`, { method, agent: false, headers }, async (answer) => {
      let text = "";
      for await (const part of answer) text += String(part);
      resolve({ status: answer.statusCode ?? 0, body: text, cookies: answer.headers["set-cookie"] ?? [] });
    });
    outgoing.on("error", () => resolve("cut"));
    outgoing.end(body);
  });
}

const commit = { method: "POST", path: "/api/carts/*/checkout" };

describe("the cutting proxy", () => {
  test("passes a request on whole, with the host people typed, and the answer back", async () => {
    const answer = await send("POST", "/api/carts/7/checkout?x=1", "{}");
    expect(answer).toEqual({ status: 201, body: "got {}", cookies: ["a=1", "b=2"] });
    expect(arrived).toEqual([
      {
        method: "POST",
        url: "/api/carts/7/checkout?x=1",
        host: new URL(proxy.origin).host,
        from: undefined,
        body: "{}",
      },
    ]);
  });

  test("tells the shop the address it was given", async () => {
    proxy.comeFrom("203.0.113.9");
    await send("GET", "/");
    expect(arrived[0]?.from).toBe("203.0.113.9");
  });

  test("loses an answer only after the shop has acted", async () => {
    const cut = proxy.cutAfterRequest(commit);
    expect(await send("POST", "/api/carts/7/checkout", "order")).toBe("cut");
    expect(arrived.map((its) => its.body)).toEqual(["order"]);
    expect(cut.count()).toBe(1);
    expect(proxy.exchanges(commit)).toMatchObject([{ status: 201, fate: "cut_after_request" }]);
  });

  test("loses a request before the shop sees it", async () => {
    const cut = proxy.cutBeforeForward(commit);
    expect(await send("POST", "/api/carts/7/checkout", "order")).toBe("cut");
    expect(arrived).toEqual([]);
    expect(cut.count()).toBe(1);
    expect(proxy.exchanges(commit)).toMatchObject([{ status: undefined, fate: "cut_before_forward" }]);
  });

  test("cuts nothing else, and nothing once it is lifted", async () => {
    const cut = proxy.cutBeforeForward(commit);
    expect(await send("GET", "/api/carts/7/checkout")).not.toBe("cut");
    cut.lift();
    expect(await send("POST", "/api/carts/7/checkout")).not.toBe("cut");
    expect(cut.count()).toBe(0);
    expect(proxy.count(commit)).toBe(1);
    proxy.forget();
    expect(proxy.count(commit)).toBe(0);
  });

  test("lets a hook finish before the shop sees the request", async () => {
    const seenByHook: number[] = [];
    const lift = proxy.onRequest(async (seen) => {
      await Promise.resolve();
      if (seen.path === "/hooked") seenByHook.push(arrived.length);
    });
    await send("GET", "/hooked");
    lift();
    await send("GET", "/hooked");
    expect(seenByHook).toEqual([0]);
    expect(arrived).toHaveLength(2);
  });

  test("halves what arrives, and gives no length that would tell", async () => {
    const lift = proxy.halve();
    expect(await send("POST", "/whole", "12345678")).toMatchObject({ status: 201, body: "got 12" });
    lift();
    expect(await send("POST", "/whole", "12345678")).toMatchObject({ body: "got 12345678" });
  });

  test("leads every page to the wall, which knows nobody; what a page asks for goes on", async () => {
    const page = { accept: "text/html,application/xhtml+xml", cookie: "sid=1" };
    const lift = proxy.wall("/login");
    expect(await send("GET", "/account", undefined, page)).toMatchObject({ status: 302, body: "", cookies: [] });
    expect(await send("GET", "/login", undefined, page)).toMatchObject({ body: "got ", cookies: [] });
    expect(await send("GET", "/api/carts", undefined, { cookie: "sid=1" })).toMatchObject({ body: "got sid=1" });
    lift();
    expect(await send("GET", "/account", undefined, page)).toMatchObject({ body: "got sid=1" });
  });

  test("closes the connection when the shop is down", async () => {
    proxy.forwardTo("http://127.0.0.1:1");
    expect(await send("GET", "/")).toBe("cut");
    expect(proxy.exchanges()).toMatchObject([{ fate: "shop_unreachable" }]);
  });
});

test("in a pattern a star is one segment", () => {
  const matches = (path: string) => patternMatches(commit, { method: "POST", path });
  expect(matches("/api/carts/7/checkout")).toBe(true);
  expect(matches("/api/carts/7/8/checkout")).toBe(false);
  expect(matches("/api/carts/7/checkout/")).toBe(false);
  expect(patternMatches({ method: "*", path: "/x" }, { method: "PUT", path: "/x" })).toBe(true);
});

import { generateSigningKey, type SigningKey, signRequest } from "@countersign/web-bot-auth";
import { assert } from "@countersign/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  opened,
  type Seen,
  startServer,
  type TestRoute,
  type TestServer,
  testCtx,
  testDestination,
  testLog,
  testRoute,
  until,
} from "../routes/browser/test/kit.ts";
import { foreignVerifies } from "./support/foreign-signature.ts";

/** A real browser on a busy machine. */
const TEST_MS = 180_000;
const BUY = { method: "POST", path: "/buy" } as const;
let shop: TestServer;
let other: TestServer;
let browsers: TestRoute;
let key: SigningKey;

beforeAll(async () => {
  key = (await generateSigningKey()).key;
  browsers = testRoute({ signs: ({ id }) => id !== "quiet" });
  other = await startServer((_request, response) => void response.end("<title>other</title>"));
  shop = await startServer(({ url }, response) => {
    const path = url.split("?")[0];
    if (path === "/moved") return void response.writeHead(302, { location: "/arrived" }).end();
    if (path === "/away") return void response.writeHead(302, { location: `${other.origin}/landed` }).end();
    if (path === "/a.js") {
      response.setHeader("content-type", "text/javascript");
      return void response.end("ran = true");
    }
    response.setHeader("set-cookie", "sid=1; HttpOnly");
    if (path !== "/") return void response.end("<title>shop</title>");
    response.end(`<title>shop</title><script src="/a.js"></script><img src="${other.origin}/pix"><iframe src="/frame"></iframe>
      <button onclick="fetch('/buy', { method: 'POST', body: 'one' })">Buy</button>`);
  });
});
afterAll(async () => {
  await browsers?.stop();
  await shop?.close();
  await other?.close();
});

const SIGNATURE = ["signature", "signature-input", "signature-agent"];
const isSigned = ({ headers }: Seen) => SIGNATURE.some((name) => headers[name] !== undefined);

async function walk(id: string) {
  shop.seen.length = 0;
  other.seen.length = 0;
  const ctx = {
    ...testCtx("ann", testLog()),
    withIdentity: async (request: Request) => {
      const signed = await signRequest(request, {
        key,
        agent: { type: "directory", origin: "https://gateway.example" },
        plainHttp: "loopback",
      });
      assert(signed.ok, "it is signed");
      return signed.value;
    },
  };
  const place = testDestination(shop.origin, { commits: [BUY], alsoOrigins: [other.origin] });
  const { open, session } = await opened(browsers.route, ctx, { ...place, id });
  const page = await session.page("/");
  await until(() => shop.count("GET", "/frame") > 0 && other.count("GET", "/pix") > 0);
  expect(await page.evaluate("ran")).toBe(true);
  await page.evaluate(async (elsewhere) => {
    await fetch("/moved?x=1");
    await fetch("/note", { method: "POST", body: "é" });
    const form = new FormData();
    form.append("file", new File([new Uint8Array(70_000)], "a.bin"));
    await fetch("/upload", { method: "POST", body: form });
    // Simple requests: a header more, and the browser would ask the other site first.
    await fetch(`${elsewhere}/simple`, { mode: "no-cors", method: "POST", body: "x" });
  }, other.origin);
  const held = await session.hold(() => page.click("text=Buy"), { pattern: BUY, timeoutMs: 30_000 });
  const { request } = held;
  await held.abandon();
  await page.goto(`${shop.origin}/moved`);
  await page.goto(`${shop.origin}/away`);
  expect(await page.title()).toBe("other");
  await open.close();
  return request;
}

it(
  "PLG-7 a page's own requests are signed, each hop of a redirect too, and nothing of it breaks or reaches another site",
  async () => {
    const held = await walk("site");
    const keys = new Map([[key.keyId, { ...key.publicJwk }]]);
    for (const seen of shop.seen) {
      const { method, url, body, headers } = seen;
      const lines = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      const verifies = await foreignVerifies({ method, url: `${shop.origin}${url}`, headers: lines, body }, keys);
      expect(verifies, `${method} ${url}`).toBe(true);
      // What the browser adds below is there as ever.
      expect([headers["sec-fetch-site"] !== undefined, headers["accept-language"] !== undefined]).toEqual([true, true]);
    }
    const paths = shop.seen.map(({ method, url }) => `${method} ${url}`);
    for (const path of [
      "GET /",
      "GET /a.js",
      "GET /frame",
      "GET /moved?x=1",
      "GET /arrived",
      "POST /note",
      "POST /upload",
    ])
      expect(paths).toContain(path);
    expect(shop.seen.find(({ url }) => url === "/upload")?.body.length).toBeGreaterThan(70_000);
    expect(shop.seen.filter(({ url }) => url !== "/").every(({ headers }) => headers.cookie === "sid=1")).toBe(true);
    expect(
      other.seen.map(({ method, url }) => `${method} ${url}`).filter((one) => !one.endsWith("favicon.ico")),
    ).toEqual(["GET /pix", "POST /simple", "GET /landed"]);
    expect(other.seen.filter(isSigned)).toEqual([]);
    // The gateway signs what it sends itself.
    expect(held.unsigned).toBeUndefined();
    expect(held.headers.some(([name]) => SIGNATURE.includes(name))).toBe(false);
  },
  TEST_MS,
);

it(
  "PLG-7 a destination that is not to be told in the browser gets its requests as they were, the order too",
  async () => {
    const held = await walk("quiet");
    expect(shop.seen.length).toBeGreaterThan(5);
    expect([...shop.seen, ...other.seen].filter(isSigned)).toEqual([]);
    expect(held.unsigned).toBe(true);
  },
  TEST_MS,
);

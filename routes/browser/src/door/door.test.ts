import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestPattern } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { expect, it } from "vitest";
import { startServer, until } from "../../test/kit.ts";
import { findChromium } from "../chromium/find.ts";
import { launchChromium } from "../chromium/launch.ts";
import { Door } from "./door.ts";

const COMMIT: RequestPattern = { method: "POST", path: "/buy" };

it("refuses a service worker's own commit, where one is allowed to exist, and signs whatever else it asks for", async () => {
  const server = await startServer(({ url }, response) => {
    if (url === "/sw.js") response.setHeader("content-type", "text/javascript");
    response.end(
      url === "/sw.js" ? "onmessage=()=>fetch('/buy',{method:'POST'}).catch(()=>fetch('/after'))" : "<title>t</title>",
    );
  });
  const root = mkdtempSync(join(tmpdir(), "countersign-door-"));
  const found = findChromium(process.env);
  assert(found.ok, "this test needs Chromium");
  const launched = await launchChromium({
    executablePath: found.value,
    sandbox: process.getuid?.() === 0 ? "off" : "on",
    profileRoot: root,
    launchArgs: [],
  });
  let refused = 0;
  const door = new Door({
    cdp: launched.cdp,
    locate: async () => undefined,
    acceptLanguage: "en",
    onRefused: () => refused++,
    onLost: () => {},
  });
  await door.guard({ origin: server.origin, patterns: [COMMIT] });
  door.sign("any", server.origin, async (request) => {
    const headers = new Headers(request.headers);
    headers.set("x-badge", "gateway");
    return new Request(request, { headers });
  });
  const context = await launched.browser.newContext({
    proxy: { server: "http://unused.invalid", bypass: "127.0.0.1" },
  });
  const page = await context.newPage();
  await page.goto(server.origin);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/sw.js");
    (await navigator.serviceWorker.ready).active?.postMessage("go");
  });
  await until(() => refused === 1 && server.count("GET", "/after") === 1);
  await launched.browser.close();
  await launched.cleanUp();
  await server.close();
  rmSync(root, { recursive: true, force: true });
  expect(server.count("POST", "/buy")).toBe(0);
  const signed = server.seen.filter(({ headers }) => headers["x-badge"] === "gateway").map(({ url }) => url);
  expect(signed).toEqual(expect.arrayContaining(["/", "/sw.js", "/after"]));
});

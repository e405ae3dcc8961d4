import { createHmac, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as Module from "../packages/client/src/index.ts";
import { hoursAhead } from "./support/agent.ts";
import { readyWorld } from "./support/world.ts";

// The client as a page gets it: one file for browsers, without a line of Node.
let browser: Browser;
let script: string;
let ready: Awaited<ReturnType<typeof readyWorld>>;

beforeAll(async () => {
  const found = findChromium(process.env);
  assert(found.ok, "a Chromium is installed");
  script = await bundle();
  [browser, ready] = await Promise.all([
    chromium.launch({ executablePath: found.value, chromiumSandbox: process.getuid?.() !== 0 }),
    readyWorld(),
  ]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await ready?.world.close();
});

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      lib: {
        entry: fileURLToPath(new URL("../packages/client/src/index.ts", import.meta.url)),
        formats: ["iife"],
        name: "countersign",
      },
    },
  });
  const [output] = [built].flat();
  assert(output !== undefined && "output" in output, "a bundle is made");
  const [chunk, ...more] = output.output;
  assert(chunk?.type === "chunk" && more.length === 0, "the client is one file");
  return chunk.code;
}

type Global = typeof globalThis & { readonly countersign: typeof Module };

it("is small and asks for nothing of Node", () => {
  expect(script).not.toMatch(/from\s*"node:|require\(/);
  expect(Buffer.byteLength(script)).toBeLessThan(64 * 1024);
});

it("submits, waits by the event stream and reads, in a real browser", { timeout: 120_000 }, async () => {
  const { world, person, agent } = ready;
  const context = await browser.newContext();
  const page = await context.newPage();
  // A page of the gateway's own origin: the API lets no other one read its answers.
  await page.route("**/agent-page", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(`${world.issuer}/agent-page`);
  await page.addScriptTag({ content: script });
  await page.waitForFunction(() => "countersign" in globalThis);

  const wish: Module.Wish = {
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    operation: "retail.order.submit",
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 6000,
      currency: "EUR",
      fulfillment_ref: ready.fulfillmentRef,
    },
    expires_at: hoursAhead(2),
  };
  const asked = await page.evaluate(
    async ([gateway, token, wanted]) => {
      const { createClient, secret } = (globalThis as Global).countersign;
      const client = createClient({ gateway, token: secret(token) });
      const wish = JSON.parse(wanted) as Module.Wish;
      const submitted = await client.submit(wish);
      const again = await client.submit(wish);
      if (!submitted.ok || !again.ok) return { submitted, again };
      const waiting = await client.wait(submitted.value.task.task_id, {
        until: (task) => task.state === "approval_required",
      });
      return { submitted, again, waiting };
    },
    [world.issuer, agent.token, JSON.stringify(wish)] as const,
  );
  assert(asked.submitted.ok && asked.again.ok && asked.waiting?.ok === true, JSON.stringify(asked));
  expect(asked.again.value).toMatchObject({ replayed: true, task: { task_id: asked.submitted.value.task.task_id } });
  const taskId = asked.submitted.value.task.task_id;

  const done = page.evaluate(
    async ([gateway, token, id]) => {
      const { createClient, secret } = (globalThis as Global).countersign;
      const client = createClient({ gateway, token: secret(token) });
      return { task: await client.wait(id), result: await client.result(id) };
    },
    [world.issuer, agent.token, taskId] as const,
  );
  await person.decide(await person.approvalFor(taskId), "approved");
  expect(await done).toMatchObject({
    task: { ok: true, value: { state: "succeeded" } },
    result: { ok: true, value: { result: { total_minor: 4990 } } },
  });

  const key = randomBytes(32);
  const now = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    type: "task.changed",
    timestamp: new Date().toISOString(),
    data: { task_id: taskId, state: "succeeded", revision: 9 },
  });
  const mac = createHmac("sha256", key).update(`evt_1.${now}.${body}`).digest("base64");
  const heard = await page.evaluate(
    async ([text, signed, stamp, sent]) => {
      const { memoryOfIds, secret, verifyWebhook } = (globalThis as Global).countersign;
      const headers = { "webhook-id": "evt_1", "webhook-timestamp": stamp, "webhook-signature": `v1,${signed}` };
      const options = { secret: secret(text), seen: memoryOfIds() };
      return [
        await verifyWebhook({ headers, body: sent }, options),
        await verifyWebhook({ headers, body: sent }, options),
      ];
    },
    [`whsec_${key.toString("base64")}`, mac, String(now), body] as const,
  );
  expect(heard).toMatchObject([
    { ok: true, value: { data: { task_id: taskId } } },
    { ok: false, reason: "replayed" },
  ]);
  await context.close();
});

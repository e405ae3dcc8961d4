import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountIdentity, Session } from "@countersign/plugin";
import { type BrowserSession, createBrowserRoute, findChromium } from "@countersign/route-browser";
import { assert, ok, secret } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Bench, done, LAMP, ORDER, openShop, sendOnce, type TestShop } from "./harness.ts";
import { signInByForms } from "./shopper.ts";
import { adapterSuite } from "./suite.ts";

async function open() {
  const found = findChromium(process.env);
  assert(found.ok, "these tests need Chromium");
  const profileRoot = mkdtempSync(join(tmpdir(), "countersign-practice-"));
  const shop = await openShop();
  const route = createBrowserRoute({
    executablePath: found.value,
    sandbox: process.getuid?.() === 0 ? "off" : "on",
    profileRoot,
    resolve: async () => ok({ address: "127.0.0.1", family: 4 }),
  });
  const stop = async () => {
    await route.stop();
    await shop.close();
    rmSync(profileRoot, { recursive: true, force: true });
  };
  return { shop, bench: new Bench(shop, route), stop };
}

/** Read once: the account is the same all along. */
let known: AccountIdentity | undefined;

/** The person signs in at the shop's own forms; what is kept is what the browser route keeps after that. */
async function signIn(bench: Bench): Promise<void> {
  const cookie = await signInByForms(bench.shop);
  const { hostname } = new URL(bench.shop.origin);
  const kept = { domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" };
  const material = secret(JSON.stringify({ v: 1, storageState: { cookies: [{ ...cookie, ...kept }], origins: [] } }));
  bench.signedIn({ identity: known ?? { name: "", details: [] }, material });
  if (known !== undefined) return;
  known = await bench.within((session) => bench.entry.identify(bench.ctx, session as never));
  assert(known !== undefined, "signed in");
  bench.signedIn({ identity: known, material });
}

adapterSuite({
  title: "pages",
  orderAnswer: "number_only",
  cancelAnswer: "nothing",
  // What each answer means is pure, and told for all of them beside the adapters.
  orderFaults: [422, 503, "half_body", "sign_in_redirect"],
  cancelFaults: [409],
  signIn,
  open,
});

describe("practice shop through its pages alone", () => {
  let shop: TestShop;
  let bench: Bench;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ shop, bench, stop } = await open());
  });
  afterAll(() => stop());
  beforeEach(async () => {
    shop.control.reset();
    await signIn(bench);
  });

  const asBrowser = (session: Session) => session as BrowserSession;

  it("the committing requests are declared exactly", () => {
    expect(bench.destination.commits).toEqual([
      { method: "POST", path: "/checkout" },
      { method: "POST", path: "/orders/cancel" },
      { method: "POST", path: "/membership/cancel" },
    ]);
  });

  it("what else lies in the cart is not ordered along", async () => {
    await bench.prepare(ORDER, { ...LAMP, item_ref: "CK-1", quantity: 3 });
    await bench.prepare(ORDER, { ...LAMP, item_ref: "WB-750-INK", quantity: 2 });
    expect(await bench.prepare(ORDER, LAMP)).toMatchObject({
      kind: "ready",
      terms: { lines: [{ ref: "TL-200", quantity: 1 }, { kind: "delivery" }] },
    });
  });

  it("a wish already in the cart is not added up", async () => {
    await bench.prepare(ORDER, LAMP);
    const again = await bench.prepare(ORDER, LAMP);
    expect(again).toMatchObject({ kind: "ready", terms: { lines: [{ ref: "TL-200", quantity: 1 }, {}] } });
  });

  it("APR-4 what the person changes at the shop meanwhile is brought back to what was approved", async () => {
    const frozen = await bench.frozen(ORDER, LAMP);
    await bench.prepare(ORDER, { ...LAMP, item_ref: "CK-1", fulfillment_ref: "det_fulfillment_work" });
    await bench.within(async (session) => {
      const page = await asBrowser(session).page("/checkout");
      await page.getByRole("textbox", { name: "Order note (optional)" }).fill("Leave it at the door.");
      for (const name of [/^Express delivery/, /^Card ending 1881/]) {
        const kept = page.waitForResponse(/checkout\/options/);
        await page.getByRole("radio", { name }).check();
        await kept;
      }
    });
    const { recognised, observed } = await bench.submit(frozen);
    expect(observed.terms).toEqual(frozen.record.terms);
    expect(recognised).toMatchObject({ kind: "confirmed" });
    expect(shop.control.orders()[0]).toMatchObject({
      totalMinor: 4990,
      note: "",
      delivery: { id: "standard" },
      address: { id: "home" },
      instrument: { id: "card-4242" },
      lines: [{ sku: "TL-200", quantity: 1 }],
    });
  });

  it("decisions 17 the browser asks for nothing that the shop's pages would not, and one order arrives", async () => {
    const before = shop.control.requests().length;
    await bench.submit(await bench.frozen(ORDER, LAMP));
    const asked = shop.control
      .requests()
      .slice(before)
      .filter(({ method }) => method === "POST");
    expect(asked.map(({ path }) => path)).toEqual(["/cart", "/checkout"]);
    expect(bench.fetched).toEqual([]);
  });

  it("STA-2 a page that submits again by itself reaches nobody", async () => {
    shop.control.commitThenDrop({ times: 1 });
    const { submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
    expect(shop.control.counters().orderSubmits).toBe(1);
    expect(await bench.readBack(submission)).toMatchObject({ kind: "found" });
  });

  it("the page that waited gets the shop's answer", async () => {
    const { record, state } = await bench.frozen(ORDER, LAMP);
    await bench.within(async (session) => {
      const held = done(await bench.commit(ORDER).hold(bench.ctx, session, record, state));
      const pages = (await asBrowser(session).page()).context().pages();
      const waiting = pages.find((page) => page.url().endsWith("/checkout"));
      assert(waiting !== undefined, "a page waits");
      const answer = await sendOnce(held.exchange.request);
      assert(answer.ok, "the shop answers");
      await Promise.all([waiting.waitForURL(/\/orders\/HH-\d+\/confirmed$/), held.exchange.answer(answer.value)]);
    });
  });

  it("a cart that was emptied between hold and observation is no last screen", async () => {
    const { record, state } = await bench.frozen(ORDER, LAMP);
    await bench.within(async (session) => {
      const adapter = bench.commit(ORDER);
      const held = done(await adapter.hold(bench.ctx, session, record, state));
      const page = await asBrowser(session).page("/cart");
      await Promise.all([page.waitForEvent("domcontentloaded"), page.getByRole("button", { name: /^Remove/ }).click()]);
      await expect(adapter.observe(bench.ctx, session, record, state)).rejects.toThrow(/emptied/);
      await held.exchange.abandon();
    });
    expect(shop.control.counters().submits).toBe(0);
  });
});

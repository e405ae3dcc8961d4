import { mkdirSync } from "node:fs";
import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import type { JsonObject } from "@countersign/wire";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";
import { approvalView, ORDER_TERMS } from "./fake/records.ts";

const executable = findBrowser();
const PHONE = { viewport: { width: 360, height: 640 } };
const AFFIRM = "Approve and order";
const PATIENCE = { timeout: 15_000 };
const PICTURES = process.env["COUNTERSIGN_PICTURES"];

describe.skipIf(executable === undefined)("the approval page in a browser", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
  });
  afterEach(async () => {
    await here?.close();
  });
  afterAll(async () => {
    await stage?.close();
  });

  const posts = () => here.fake.posts.filter((p) => p.path.endsWith("/decision"));
  const approve = (page: Page = here.page) => page.getByRole("button", { name: AFFIRM });
  const deny = (page: Page = here.page) => page.getByRole("button", { name: "Deny" });
  const add = (view: ApprovalView) => here.fake.data.approvals.push(view);
  const soon = (minutes = 14) => `${new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19)}Z`;
  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await here.page.screenshot({ path: `${PICTURES}/${name}.png` });
    await here.page.screenshot({ path: `${PICTURES}/${name}-whole.png`, fullPage: true });
  }
  async function whollyOnScreen(what: Locator, name: string, height = PHONE.viewport.height): Promise<void> {
    const box = await what.first().boundingBox();
    expect(box, name).not.toBeNull();
    expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= height, `${name} is on the first screen`).toBe(
      true,
    );
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= PHONE.viewport.width, `${name} is not cut`).toBe(
      true,
    );
  }
  /** Where things stand that must always be found in the same place. */
  async function places(): Promise<readonly (number | undefined)[]> {
    const amount = await here.page.locator(".headline").boundingBox();
    const left = await here.page.getByRole("timer").boundingBox();
    return [amount?.x, left === null ? undefined : Math.round(left.x + left.width)];
  }

  it("APR-2 U30 U31 amount, payee, account, quantity and time stand whole on a small phone's first screen, whatever the texts say", async () => {
    here = await visit(stage, PHONE);
    const title = "Lamp ".repeat(800);
    const deceptive = (await import("@countersign/profile/deceptive-texts", { with: { type: "json" } })).default.texts;
    const worst = deceptive.find((t) => t.id === "host-cyrillic-in-latin")?.text ?? "";
    const lines = (text: string) => [{ kind: "item", ref: "TL-200", title: text, quantity: 3, unit_minor: 4990 }];
    const terms = (change: JsonObject): JsonObject => ({
      ...ORDER_TERMS,
      total_minor: 14_970,
      lines: lines("Trail Lamp 200"),
      ...change,
    });
    add(await approvalView({ id: "act_plain", expiresAt: soon(), terms: terms({}) }));
    add(await approvalView({ id: "act_title", expiresAt: soon(), terms: terms({ lines: lines(title) }) }));
    add(
      await approvalView({
        id: "act_host",
        expiresAt: soon(),
        terms: terms({ payee: worst }),
        change: { changed_from: { terms: terms({ total_minor: 1 }) } },
      }),
    );
    let before: readonly unknown[] | undefined;
    for (const id of ["act_plain", "act_title", "act_host"]) {
      await here.go(`/approvals/${id}`);
      const terms = here.page.getByRole("region", { name: "Terms" });
      await terms.waitFor();
      await whollyOnScreen(terms.getByText("149.70 EUR", { exact: true }), `${id} amount`);
      await whollyOnScreen(
        terms.getByText(id === "act_host" ? "xn--pypal-4ve.example" : "shop.example", { exact: true }),
        `${id} payee`,
      );
      await whollyOnScreen(terms.getByText("Alex Example", { exact: true }), `${id} account`);
      await whollyOnScreen(terms.getByText("Practice shop", { exact: true }), `${id} account's site`);
      await whollyOnScreen(
        terms.getByRole("cell", { name: "3", exact: true }).getByText("3", { exact: true }),
        `${id} quantity`,
      );
      await whollyOnScreen(here.page.getByRole("timer"), `${id} time left`);
      const now = await places();
      before ??= now;
      expect(now, `${id} has them where they always are`).toEqual(before);
      expect(await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), id).toBe(true);
      await picture(`approval-phone-${id}`);
    }
    await here.page.getByText("mixes letters of several alphabets").first().waitFor();
    await here.go("/approvals/act_title");
    expect(await here.page.getByRole("region", { name: "Terms" }).textContent()).toContain(title.trim());
    expect(here.complaints).toEqual([]);
  });

  it("U34 a note of 40 kB and a purpose of 100 kB: the page renders, the terms stand first, the note says how long it is and opens, the button comes after", async () => {
    here = await visit(stage, PHONE);
    const note = "All of this is agreed. ".repeat(1_700);
    const purpose = "Because. ".repeat(11_500);
    add(
      await approvalView({
        id: "act_long",
        expiresAt: soon(),
        terms: { ...ORDER_TERMS, note: `${note}And a fee.` },
        change: { purpose },
      }),
    );
    await here.go("/approvals/act_long");
    await whollyOnScreen(here.page.getByText("49.90 EUR", { exact: true }), "amount");
    await approve().waitFor();
    const terms = await here.page.getByRole("region", { name: "Terms" }).boundingBox();
    const more = await here.page.getByRole("region", { name: "References and limits" }).boundingBox();
    const button = await approve().boundingBox();
    expect((button?.y ?? 0) > (terms?.y ?? 0) + (terms?.height ?? 0)).toBe(true);
    expect((button?.y ?? 0) > (more?.y ?? 0) + (more?.height ?? 0)).toBe(true);
    expect(button?.y ?? 0, "a folded text does not push the decision out of reach").toBeLessThan(3_000);
    await picture("approval-phone-long");
    const fold = here.page.getByText(`All of it: ${note.length + "And a fee.".length} characters`);
    await fold.click();
    await here.page.getByText("And a fee.").waitFor();
    await here.page.getByText("All of it: 103500 characters").waitFor();
  });

  it("U32 the agent's own words stand in a box that says so, and none of them among the terms", async () => {
    here = await visit(stage);
    const says = "Already approved by the account holder. Total charged: 1.00 EUR";
    add(await approvalView({ id: "act_says", expiresAt: soon(), change: { agent: says, purpose: says } }));
    await here.go("/approvals/act_says");
    const box = here.page.getByRole("region", { name: "From the agent. Nobody has checked this." });
    await box.getByText(says).first().waitFor();
    expect(await here.page.getByText(says).count()).toBe(await box.getByText(says).count());
    expect(await here.page.getByRole("region", { name: "Terms" }).textContent()).not.toContain("1.00 EUR");
  });

  it("U27 offers no approval of amounts that contradict each other, though every digest fits", async () => {
    here = await visit(stage);
    add(await approvalView({ id: "act_sum", expiresAt: soon(), terms: { ...ORDER_TERMS, total_minor: 990 } }));
    await here.go("/approvals/act_sum");
    await here.page.getByText("cannot show this proposal faithfully").waitFor();
    await deny().waitFor();
    expect(await approve().count()).toBe(0);
    expect(await here.page.getByText("9.90 EUR").count()).toBe(0);
  });

  it("APR-4 what moved: each side, sign and size, rows that came and went, another address; APR-1 an earlier equal order", async () => {
    here = await visit(stage);
    const [item = {}] = ORDER_TERMS["lines"] as object[];
    const cheaper: JsonObject = {
      ...ORDER_TERMS,
      total_minor: 4590,
      lines: [item, { kind: "fee", ref: "SVC", title: "Service", quantity: 1, unit_minor: 100 }] as never,
    };
    const old = await approvalView({ id: "act_old", expiresAt: soon(), terms: cheaper, shipTo: "2 Other Street" });
    const earlier = [
      {
        task_id: "task_done",
        state: "succeeded",
        at: "2026-11-28T10:00:00Z",
        amount: { total_minor: 4990, currency: "EUR" },
      },
    ] as const;
    add(
      await approvalView({
        id: "act_moved",
        expiresAt: soon(),
        change: { changed_from: old.action, changed_from_disclosures: old.disclosures, earlier },
      }),
    );
    await here.go("/approvals/act_moved");
    const changes = here.page.getByRole("region", { name: "What is different from what you saw before" });
    for (const text of [
      "Total charged: was 45.90 EUR, is 49.90 EUR (4.00 EUR more)",
      "What is bought, Delivery: new",
      "What is bought, Service: not there any more",
      "Deliver to: was 2 Other Street, is Alex Example",
    ])
      await changes.getByText(text).first().waitFor();
    const notice = here.page.getByRole("region", { name: "This account did the same lately" });
    await notice.getByText("49.90 EUR").waitFor();
    await notice.getByRole("link", { name: "Look at it" }).waitFor();
    const button = await approve().boundingBox();
    const noticed = await notice.boundingBox();
    expect((button?.y ?? 0) > (noticed?.y ?? 0), "both are seen before the decision").toBe(true);
    await picture("approval-moved");
  });

  it("nothing decides by accident: the focus is elsewhere at load, Enter in the reason does nothing, and the second click of a double click on a link lands nowhere", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    await approve().waitFor();
    expect(await here.page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await here.page.keyboard.press("Enter");
    await here.page.keyboard.press("Space");
    await here.page.getByLabel("Reason for denying (optional)").fill("Too dear");
    await here.page.keyboard.press("Enter");
    await here.go("/approvals/act_pending");
    // The button is there at once and takes nothing for the first moment.
    await here.page.evaluate(() => {
      const look = new MutationObserver(() => {
        const button = [...document.querySelectorAll("button")].find((b) => b.textContent === "Approve and order");
        if (button === undefined) return;
        look.disconnect();
        (globalThis as { pressedEarly?: boolean }).pressedEarly = button.disabled;
        button.click();
      });
      look.observe(document.body, { childList: true, subtree: true });
      history.pushState(null, "", "/");
      dispatchEvent(new PopStateEvent("popstate"));
      history.pushState(null, "", "/approvals/act_changed");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await here.page.getByText("The terms have changed").waitFor();
    await expect.poll(() => approve().isEnabled(), PATIENCE).toBe(true);
    expect(await here.page.evaluate(() => (globalThis as { pressedEarly?: boolean }).pressedEarly)).toBe(true);
    expect(posts()).toEqual([]);
  });

  it("U22 U23 two windows: the other one shows the settled decision, and a press that came too late says so", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    const [other, third] = [await here.page.context().newPage(), await here.page.context().newPage()];
    // One window does not hear of the decision before its own button is pressed.
    const known = here.fake.data.approvals.find((a) => a.action_id === "act_pending");
    let pressed = false;
    await other.route("**/trusted/v1/approvals/act_pending**", (route) => {
      if (route.request().method() === "GET") return pressed ? route.continue() : route.fulfill({ json: known });
      pressed = true;
      return route.fulfill({ status: 409, json: { reason: "decided_otherwise" } });
    });
    for (const page of [other, third]) {
      await page.goto(`${here.fake.origin}/approvals/act_pending`);
      await expect.poll(() => deny(page).isEnabled(), PATIENCE).toBe(true);
    }
    await approve().click();
    await here.page.getByText("You approved this.").waitFor();
    await third.getByText("You approved this.").waitFor();
    expect(await deny(third).count()).toBe(0);
    await deny(other).click();
    await other.getByText("You pressed Deny here, but this had been settled already").waitFor();
    await other.getByText("You approved this.").waitFor();
    expect(await approve(other).count()).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  it("an answer that is lost is read back: stored, it is shown; not stored, the page says so and offers it again", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    let arrives = true;
    await here.page.route("**/trusted/v1/approvals/act_pending/decision", async (route) => {
      if (arrives) await route.fetch();
      await route.abort("connectionreset");
    });
    arrives = false;
    await approve().click();
    await here.page.getByText("The connection was lost and your decision did not arrive").waitFor();
    expect(posts()).toEqual([]);
    arrives = true;
    await approve().click();
    await here.page.getByText("You approved this.").waitFor();
    expect(posts()).toHaveLength(1);
  });

  it("while nobody knows, the button says that it asks, and takes no second press", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    await approve().waitFor();
    let away = true;
    await here.page.route("**/trusted/v1/approvals/act_pending**", async (route) => {
      const post = route.request().method() === "POST";
      if (post) await route.fetch();
      if (away) return route.abort("connectionreset");
      await route.continue();
    });
    await approve().click();
    await here.page.getByText("Asking what became of your decision").waitFor();
    expect(await deny().isDisabled()).toBe(true);
    await approve().click({ force: true });
    await picture("approval-asking");
    away = false;
    await here.page.getByText("You approved this.").waitFor();
    expect(posts()).toHaveLength(1);
  });

  it("APR-6 counts down by the gateway's clock, however wrong this machine's is, and offers nothing at the end", async () => {
    here = await visit(stage);
    add(await approvalView({ id: "act_brief", expiresAt: soon(5) }));
    await here.page.addInitScript(() => {
      const real = Date.now;
      Date.now = () => real() - 6 * 3_600_000;
    });
    await here.go("/approvals/act_brief");
    expect(await here.page.evaluate(() => performance.timeOrigin - Date.now() > 5 * 3_600_000)).toBe(true);
    expect(await here.page.getByRole("timer").textContent()).toMatch(/^[45]:[0-9]{2}$/);
    add(await approvalView({ id: "act_over", expiresAt: soon(-1) }));
    await here.go("/approvals/act_over");
    await here.page.getByText("The time to decide is over").waitFor();
    expect(await here.page.getByRole("button", { name: AFFIRM }).count()).toBe(0);
    expect(await deny().count()).toBe(0);
  });

  it("APR-6 at the last second the buttons go, although the gateway has written nothing down", async () => {
    here = await visit(stage);
    add(
      await approvalView({ id: "act_last", expiresAt: `${new Date(Date.now() + 6_000).toISOString().slice(0, 19)}Z` }),
    );
    await here.go("/approvals/act_last");
    await here.page.getByText("The time to decide is over").waitFor();
    expect(await approve().count()).toBe(0);
  });

  it("APR-3 says who has to decide; under an authority there is no button to approve", async () => {
    here = await visit(stage);
    add(await approvalView({ id: "act_authority", expiresAt: soon(), change: { policy: "authority" } }));
    await here.go("/approvals/act_authority");
    await here.page.getByText("the word of an authority that you have enrolled").waitFor();
    await expect.poll(() => deny().isEnabled(), PATIENCE).toBe(true);
    expect(await approve().count()).toBe(0);
    await here.go("/approvals/act_pending");
    await here.page.getByText("exactly this is done, once").waitFor();
  });
});

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";
import { EVIDENCE, PRACTICE } from "./fake/data.ts";

const executable = findBrowser();

describe.skipIf(executable === undefined)("everyday pages in a browser", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
  });
  afterAll(async () => {
    await stage?.close();
  });
  afterEach(async () => {
    await here?.close();
  });

  const said = (text: string) => here.page.locator("main").getByText(text).first();
  const press = (name: string | RegExp) =>
    here.page
      .getByRole("button", { name, exact: typeof name === "string" })
      .first()
      .click();
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");
  const posted = (path: string) => here.fake.posts.filter((post) => post.path === path);

  it("a change is shown as soon as it is told, over one stream for the whole page", async () => {
    here = await visit(stage);
    await here.go("/agents/agent_old");
    await said("What it may do").waitFor();
    await expect.poll(() => here.fake.changes.count()).toBe(1);
    const [first] = here.fake.data.agents.splice(1, 1);
    here.fake.data.agents.push({
      ...first,
      client_id: "agent_old",
      name: "Renamed",
      state: "revoked",
      created_at: "2026-11-30T10:00:00Z",
    });
    // Well within the slow poll: only the stream can have said so.
    here.fake.changes.say("changed", { kinds: ["agents"] });
    await said("Renamed").waitFor({ timeout: 5_000 });
    expect(here.fake.changes.count()).toBe(1);
  });

  it("what a change is not about is not asked for again", async () => {
    here = await visit(stage);
    const asked: string[] = [];
    here.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await here.go("/agents");
    await said("Bookkeeper").waitFor();
    await expect.poll(() => here.fake.changes.count()).toBe(1);
    await here.page.waitForLoadState("networkidle");
    await expect.poll(() => asked.splice(0).length, { interval: 400 }).toBe(0);
    here.fake.changes.say("changed", { kinds: ["tasks"] });
    await expect.poll(() => asked).toEqual(["/trusted/v1/inbox"]);
  });

  it("without a stream the page polls, and says nothing wrong", async () => {
    here = await visit(stage);
    here.fake.changes.refused = true;
    await here.go("/agents");
    await said("Bookkeeper").waitFor();
    here.fake.data.agents.push({
      client_id: "agent_late",
      name: "Late comer",
      state: "requested",
      created_at: "2026-11-30T10:00:00Z",
    });
    await said("Late comer").waitFor({ timeout: 8_000 });
    expect(await here.page.getByRole("alert").count()).toBe(0);
  });

  it("a page in the background asks nothing and holds no stream; it reads everything when it is back", async () => {
    here = await visit(stage);
    await here.go("/agents");
    await said("Bookkeeper").waitFor();
    await expect.poll(() => here.fake.changes.count()).toBe(1);
    await show(here.page, "hidden");
    await expect.poll(() => here.fake.changes.count()).toBe(0);
    const asked: string[] = [];
    here.page.on("request", (request) => asked.push(request.url()));
    here.fake.data.agents.push({
      client_id: "agent_late",
      name: "Late comer",
      state: "requested",
      created_at: "2026-11-30T10:00:00Z",
    });
    await show(here.page, "visible");
    await said("Late comer").waitFor({ timeout: 5_000 });
    await expect.poll(() => here.fake.changes.count()).toBe(1);
  });

  it("signed out in another tab: this one notices at once, and shows nothing of what it knew", async () => {
    here = await visit(stage);
    await here.go("/receipts/task_done");
    await said("SO-100233").waitFor();
    await expect.poll(() => here.fake.changes.count()).toBe(1);
    Object.assign(here.fake, { mode: "out" });
    await here.page.getByText("countersign link", { exact: true }).waitFor({ timeout: 8_000 });
    expect(await here.page.getByText("SO-100233").count()).toBe(0);
  });

  it("what a person decides on is never drawn from memory", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    await said("49.90 EUR").waitFor();
    await here.move("/tasks");
    await said("May have happened").waitFor();
    here.fake.slowMs = 4_000;
    await here.move("/approvals/act_pending");
    await here.page.getByText("Loading…").first().waitFor();
    expect(await here.page.getByText("49.90 EUR").count()).toBe(0);
    // A list may be: it is read again at once.
    await here.move("/tasks");
    await said("May have happened").waitFor({ timeout: 2_000 });
  });

  it("a quick answer flashes nothing, a slow one says that it is coming", async () => {
    here = await visit(stage);
    here.fake.slowMs = 3_000;
    await here.go("/authorities");
    const loading = here.page.locator(".loading");
    await loading.waitFor({ state: "attached" });
    const at = (ms: number) =>
      loading.evaluate((el, time) => {
        const [animation] = el.getAnimations();
        animation?.pause();
        if (animation !== undefined) animation.currentTime = time;
        return getComputedStyle(el).visibility;
      }, ms);
    expect(await at(199)).toBe("hidden");
    expect(await at(201)).toBe("visible");
    await said("Family approvals").waitFor();
  });

  it("U43 an account says of each way in how it stands and what to do, under the site's own name (U44)", async () => {
    here = await visit(stage);
    await here.go("/accounts");
    const alex = here.page.getByRole("region", { name: "Alex Example" });
    await alex.getByText("Sign in at the site again").waitFor();
    expect(await alex.getByText("Connected", { exact: true }).count()).toBe(1);
    await alex.getByText("The session has ended.").waitFor();
    await here.page
      .getByRole("region", { name: "alex@garden" })
      .getByText("Disconnected by the account holder.")
      .waitFor();
    await alex.getByRole("button", { name: "Sign in again" }).click();
    await expect
      .poll(() => posted("/connections"))
      .toMatchObject([{ body: { destination: "practice-shop", route: "http", account_ref: "acc_1" } }]);
  });

  it("what cannot be taken back tells its consequences first, keeps the focus, and Escape leaves all as it was", async () => {
    here = await visit(stage);
    await here.go("/accounts");
    const button = here.page.getByRole("region", { name: "Alex Example" }).getByRole("button", { name: "Disconnect" });
    await button.focus();
    await here.page.keyboard.press("Enter");
    const dialog = here.page.getByRole("alertdialog", { name: "Disconnect Alex Example at Practice shop?" });
    await dialog.getByText("What was already submitted is not undone").waitFor();
    for (let i = 0; i < 6; i++) {
      await here.page.keyboard.press("Tab");
      expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
    }
    await here.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await button.evaluate((el) => el === document.activeElement)).toBe(true);
    expect(here.fake.posts).toEqual([]);

    await here.page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Leave it as it is" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(here.fake.posts).toEqual([]);

    await button.click();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(posted("/accounts/acc_1/disconnect")).toHaveLength(1);
  });

  it("an address that was added here can be removed; what the site gave cannot", async () => {
    here = await visit(stage);
    await here.go("/accounts");
    const alex = here.page.getByRole("region", { name: "Alex Example" });
    const home = alex.getByRole("button", { name: "Remove" }).first();
    await home.waitFor();
    // The address and the telephone number were entered here, the card was not.
    expect(await alex.getByRole("button", { name: "Remove" }).count()).toBe(2);
    await home.click();
    await here.page
      .getByRole("alertdialog", { name: "Remove “Home”?" })
      .getByRole("button", { name: "Remove" })
      .click();
    await expect.poll(() => posted("/accounts/acc_1/details/det_1/remove").length).toBe(1);
  });

  it("CON-4 a grant is revoked only after its consequences were read; the page says what stays open", async () => {
    here = await visit(stage);
    await here.go("/consents/cons_granted");
    await said("€20.20, 1 action").waitFor();
    await press("Revoke this grant");
    const dialog = here.page.getByRole("alertdialog");
    await dialog.getByText("It cannot undo what was already submitted").waitFor();
    await dialog.getByRole("button", { name: "Revoke this grant" }).click();
    await said("One submission is still open.").waitFor();
    expect(posted("/consents/cons_granted/revoke")).toHaveLength(1);
    // What opened the dialog is gone: the focus is where the page begins.
    await expect.poll(() => focused(here.page)).toBe("Grant");
  });

  it("APR-3 the person may ask for more than is needed to approve, and never loosen it again", async () => {
    here = await visit(stage);
    await here.go("/consents/cons_granted");
    await here.page.getByText("Narrow this grant").click();
    await here.page.getByRole("radio", { name: "My passkey, each time" }).check({ force: true });
    await said("Without a passkey in use nothing can be approved").waitFor();
    await press("Narrow");
    await expect.poll(() => posted("/consents/cons_granted/narrow")).toMatchObject([{ body: { approval: "passkey" } }]);
    await said("The grant is narrower now.").waitFor();
    await here.page.getByText("Narrow this grant").click();
    expect(await here.page.getByRole("radio").count()).toBe(1);
  });

  it("a task's story: each state in words, why, what to do, and the way there", async () => {
    here = await visit(stage);
    await here.go("/tasks/task_denied");
    await said("The full cost is above a limit in force.").waitFor();
    await said("have the agent ask for a grant with a higher limit").waitFor();
    await said("Going to the shop's checkout").waitFor();
    await said("It was stopped. Nothing was committed.").waitFor();
    expect(await here.page.getByRole("button", { name: "Withdraw" }).count()).toBe(0);
    await here.move("/tasks/task_pending");
    await here.page.getByRole("link", { name: "Go to the decision" }).click();
    await here.page.getByText("49.90 EUR").first().waitFor();
  });

  it("withdrawing asks first", async () => {
    here = await visit(stage);
    await here.go("/tasks/task_pending");
    await press("Withdraw");
    await here.page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
    await said("It was withdrawn before anything was committed.").waitFor();
    expect(posted("/tasks/task_pending/withdraw")).toHaveLength(1);
  });

  it.each([
    ["It was done", "done"],
    ["It was not done", "not_done"],
  ])("STA-8 after a restore the person says what they saw: %s", async (label, found) => {
    here = await visit(stage);
    await here.go("/tasks/task_restored");
    await said("What did you find at the site?").waitFor();
    await press(label);
    await here.page.getByRole("alertdialog").getByRole("button", { name: label }).click();
    await expect.poll(() => posted("/tasks/task_restored/looked")).toMatchObject([{ body: { found } }]);
    await said("What did you find at the site?").waitFor({ state: "detached" });
  });

  it("APR-7 the evidence is taken apart in this browser: it holds, with its level and every step in words", async () => {
    here = await visit(stage);
    await here.go("/receipts/task_done");
    const asked: string[] = [];
    // What the page reads anyway, when it begins to listen, is no part of the check.
    const read = ["/trusted/v1/session", "/trusted/v1/inbox", "/trusted/v1/tasks/task_done", "/trusted/v1/changes"];
    here.page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/trusted/") && !read.includes(pathname)) asked.push(pathname);
    });
    await press("Check it now, in this browser");
    await said("The evidence holds.").waitFor();
    await said("Level 3: signed by the account holder's enrolled passkey").waitFor();
    expect(await here.page.locator("ol.steps li").count()).toBe(9);
    await said("This browser has not checked evidence of this gateway before.").waitFor();
    // Nothing was asked but the file, and the site's own records to compare their hashes.
    expect(new Set(asked)).toEqual(
      new Set([
        "/trusted/v1/tasks/task_done/bundle",
        "/trusted/v1/tasks/task_done/records",
        "/trusted/v1/tasks/task_done/records/mrc_1",
      ]),
    );
    await press("Check it again");
    await said("It is the pin that this browser remembers since").waitFor();
    expect(here.complaints).toEqual([]);
  });

  it("APR-7 evidence that was changed does not hold, and the page says at which step and why", async () => {
    here = await visit(stage);
    const { receipt } = EVIDENCE.bundle;
    const [head, payload, signature = ""] = receipt.split(".");
    const other = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    here.fake.data.bundle = { ...EVIDENCE.bundle, receipt: [head, payload, other].join(".") };
    await here.go("/receipts/task_done");
    await press("Check it now, in this browser");
    await said("The evidence does not hold.").waitFor();
    await said("The signature does not fit.").waitFor();
    await said("the receipt").waitFor();
    expect(await here.page.getByText("The evidence holds.").count()).toBe(0);
  });

  it("APR-7 good evidence of another receipt than the one shown is no evidence for it", async () => {
    here = await visit(stage);
    const at = here.fake.data.tasks.findIndex((task) => task.task_id === "task_done");
    const task = here.fake.data.tasks[at];
    if (task?.receipt === undefined) throw new Error("the task has a receipt");
    const observed = { payee: "shop.example", currency: "EUR", minor_digits: 2, total_minor: 990 };
    here.fake.data.tasks[at] = { ...task, receipt: { ...task.receipt, observed } };
    await here.go("/receipts/task_done");
    await said("€9.90").waitFor();
    await press("Check it now, in this browser");
    await said("it is not about the receipt that this page shows").waitFor();
    expect(await here.page.getByText("The evidence holds.").count()).toBe(0);
  });

  it("a pin that the evidence does not lead to is refused, and one that is none cannot be tried", async () => {
    here = await visit(stage);
    await here.go("/receipts/task_done");
    const pin = here.page.getByLabel("Pin of the gateway's log");
    await pin.fill("short");
    expect(await here.page.getByRole("button", { name: "Check it now" }).isDisabled()).toBe(true);
    await pin.fill("A".repeat(43));
    await press("Check it now, in this browser");
    await said("The evidence does not hold.").waitFor();
  });

  it("REC-3 the site's own records stand apart, as the site's word, with their hash", async () => {
    here = await visit(stage);
    await here.go("/receipts/task_done");
    const records = here.page.getByRole("region", { name: "The site's own records" });
    await records.getByText("They are the site's word, not the gateway's.").waitFor();
    await records.getByText("rJk_AtSEGnlJlqeP7PTG-jjuVoX6Itm1yrp923S-Ckc").waitFor();
    expect(await records.getByRole("link", { name: "Download" }).getAttribute("href")).toBe(
      "/trusted/v1/tasks/task_done/records/mrc_1",
    );
  });

  it("an agent's page says what it may do and when it was seen, and revoking tells what that means", async () => {
    here = await visit(stage);
    await here.go("/agents/agent_old");
    await here.page
      .getByRole("link", { name: /Practice shop/ })
      .first()
      .waitFor();
    await said("Last seen").waitFor();
    await press("Revoke");
    const dialog = here.page.getByRole("alertdialog", { name: "Shut Bookkeeper out?" });
    await dialog.getByText("with every grant it has").waitFor();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await said("It can do nothing any more.").waitFor();
  });

  it("APR-3 an authority is enrolled for named operations, with the day's wait told before and after", async () => {
    here = await visit(stage);
    await here.go("/authorities");
    const bank = here.page.getByRole("region", { name: "Bank mandates" });
    await bank.getByText("Enrol it", { exact: true }).click();
    await bank.getByText("A new enrolment counts only after a day").first().waitFor();
    const enrol = bank.getByRole("button", { name: "Enrol" });
    expect(await enrol.isDisabled()).toBe(true);
    await bank.getByRole("checkbox", { name: "Place an order" }).check({ force: true });
    await bank.getByLabel("Name for this enrolment").fill("My bank");
    await bank.getByLabel("Its parameters, as JSON").fill('{"key": ');
    await bank.getByText("This is not a JSON object.").waitFor();
    await bank.getByLabel("Its parameters, as JSON").fill('{"key": "abc"}');
    await enrol.click();
    await bank.getByText("It is enrolled, and counts in a day.").waitFor();
    expect(posted("/authorities/bank-mandate/enrol")).toMatchObject([
      { body: { operations: ["retail.order.submit"], parameters: { key: "abc" }, label: "My bank" } },
    ]);
    await bank.getByText("Counts later").waitFor();
  });

  it("the practice board is there in a demonstration alone", async () => {
    here = await visit(stage);
    await here.go("/");
    await here.page.getByRole("link", { name: "Receipts" }).waitFor();
    expect(await here.page.getByRole("link", { name: "Practice shop", exact: true }).count()).toBe(0);
    await here.close();
    here = await visit(stage);
    here.fake.data.practice = PRACTICE;
    await here.go("/");
    await here.page.getByRole("link", { name: "Practice shop", exact: true }).click();
    const lose = here.page.getByRole("switch", { name: /Lose the answer/ });
    expect(await lose.isChecked()).toBe(false);
    await lose.click({ force: true });
    await expect.poll(() => posted("/practice")).toMatchObject([{ body: { switch: "lose_answer", on: true } }]);
    await expect.poll(() => lose.isChecked()).toBe(true);
  });

  it("times and amounts are the person's own: language, zone and money", async () => {
    here = await visit(stage, { locale: "de-DE", timezoneId: "Asia/Tokyo" });
    await here.go("/receipts/task_done");
    await said("49,90 €").waitFor();
    await said("30.11.2026, 19:00").waitFor();
    await here.move("/receipts");
    const time = here.page.locator("main time").first();
    expect(await time.getAttribute("title")).toContain("19:00:00");
  });

  it("the keyboard alone: past the navigation, to a title, and back to where one was", async () => {
    here = await visit(stage);
    await here.go("/");
    await here.page.locator("main ul.cards").waitFor();
    const skip = here.page.getByRole("button", { name: "To the content" });
    expect(await skip.evaluate((el) => document.querySelector("a, button, input") === el)).toBe(true);
    await skip.focus();
    await here.page.keyboard.press("Shift");
    expect((await skip.boundingBox())?.y).toBe(0);
    const outline = await here.page.evaluate(
      () => getComputedStyle(document.activeElement ?? document.body).outlineWidth,
    );
    expect(outline).toBe("3px");
    await here.page.keyboard.press("Enter");
    await here.page.keyboard.press("Tab");
    expect(await focused(here.page)).toContain("Your decision is needed");
    await here.page.getByRole("link", { name: "Receipts" }).focus();
    await here.page.keyboard.press("Enter");
    await here.page.getByRole("heading", { name: "Receipts", level: 1 }).waitFor();
    await expect.poll(() => focused(here.page)).toBe("Receipts");
    await here.page.goBack();
    await here.page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await expect.poll(() => focused(here.page)).toBe("Inbox");
  });

  it("forced colours and less motion: states keep a border, and nothing moves", async () => {
    here = await visit(stage, { forcedColors: "active", reducedMotion: "reduce" });
    await here.go("/tasks");
    const badge = here.page.locator(".badge").first();
    await badge.waitFor();
    expect(await badge.evaluate((el) => getComputedStyle(el).borderTopStyle)).toBe("solid");
    const moving = await here.page.evaluate(
      () => document.getAnimations().filter((a) => a.effect?.getComputedTiming().duration !== 0).length,
    );
    expect(moving).toBe(0);
  });
});

/** As a person does who turns to another tab, and back. */
async function show(page: Page, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

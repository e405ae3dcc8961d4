import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";
import { PRACTICE } from "./fake/data.ts";

const executable = findBrowser();
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PICTURES = process.env["CONSOLE_PICTURES"];
const WALK_MS = 180_000;

/** Every page, with what has to be there before it is judged, and what is opened first. */
const PAGES: readonly (readonly [path: string, text: string, open?: readonly string[]])[] = [
  ["/", "Your decision is needed"],
  ["/more", "Receipts"],
  ["/tasks", "May have happened"],
  ["/tasks/task_pending", "The exact terms were put before you."],
  ["/tasks/task_done", "The site confirmed it."],
  ["/tasks/task_review", "being read back"],
  ["/tasks/task_denied", "above a limit"],
  ["/tasks/task_watch", "Nothing is bought."],
  ["/tasks/task_restored", "What did you find at the site?"],
  ["/receipts", "differs from what you approved"],
  ["/receipts/task_done", "SO-100233", ["Check it somewhere else"]],
  ["/consents", "Errand agent asks to act"],
  ["/consents/cons_asked", "Which account?", ["More limits"]],
  ["/consents/cons_open", "You may set one"],
  ["/consents/cons_granted", "What it covers", ["Narrow this grant"]],
  ["/consents/cons_revoked", "not undone"],
  ["/accounts", "Alex Example", ["Add a delivery address", "Add an e-mail address or telephone number"]],
  ["/agents", "Bookkeeper"],
  ["/agents/agent_new", "Accept"],
  ["/agents/agent_old", "What it may do"],
  ["/authorities", "Grandma's new tablet", ["Enrol it anew"]],
  ["/contact", "The 8 digits from the message"],
  ["/authorize/auth_site", "It already acts for you"],
  ["/authorize/auth_device", "an account that is not yours"],
  ["/authorize/auth_given", "Go back there"],
  ["/device", "The code"],
  ["/passkeys", "Confirm with an older passkey"],
  ["/protocols", "Spoken here, and not in the catalogue"],
  ["/practice", "What goes wrong with the next order"],
  ["/approvals/act_pending", "49.90 EUR"],
  ["/approvals/act_changed", "49.90 EUR"],
  ["/approvals/act_deceptive", "U+202E"],
  ["/approvals/act_tampered", "cannot show this proposal faithfully"],
  ["/approvals/act_expired", "Nobody decided in time"],
  ["/approvals/act_done", "You approved this"],
  ["/continuations/cont_form", "Continue"],
  ["/continuations/cont_live", "I have signed in"],
  ["/continuations/cont_expired", "has expired"],
  ["/no/such/page", "There is nothing here"],
];

/** A button that opens a dialog, on which page. */
const DIALOGS: readonly (readonly [path: string, button: string])[] = [
  ["/consents/cons_granted", "Revoke this grant"],
  ["/agents/agent_old", "Revoke"],
  ["/tasks/task_pending", "Withdraw"],
  ["/tasks/task_restored", "It was not done"],
  ["/accounts", "Disconnect"],
];

/** Each width and each scheme once. */
const LOOKS = [
  { name: "360 dark", viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true },
  { name: "1280 light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
] as const;
/** With pictures, for somebody who looks: the other two as well. */
const MORE_LOOKS = [
  { name: "360 light", viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true },
  { name: "1280 dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
] as const;

describe.skipIf(executable === undefined)("pages for everybody (axe)", () => {
  let stage: Stage;
  let axe: string;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
    axe = await readFile(AXE, "utf8");
  });
  afterAll(async () => {
    await stage?.close();
  });

  async function arrived(here: Visit, text: string): Promise<void> {
    await here.page.getByRole("heading", { level: 1 }).waitFor();
    await here.page.locator("main").getByText(text).first().waitFor();
  }

  async function picture(here: Visit, name: string): Promise<void> {
    if (PICTURES !== undefined)
      await here.page.screenshot({
        path: `${PICTURES}/${name.replaceAll(" ", "-")}.png`,
        fullPage: name.startsWith("v"),
      });
  }

  /** What axe finds, as lines that name the place; empty is as it must be. */
  async function violations(here: Visit, place: string): Promise<readonly string[]> {
    // Through the debugger: the page's own policy lets no foreign script in, and stays as it is.
    const client = await here.page.context().newCDPSession(here.page);
    await client.send("Runtime.evaluate", { expression: axe });
    const { result } = await client.send("Runtime.evaluate", {
      expression: `axe.run(document, {resultTypes: ["violations"]}).then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ") + " " + n.failureSummary).join(" | "))))`,
      awaitPromise: true,
      returnByValue: true,
    });
    await client.detach();
    return (JSON.parse(String(result.value)) as string[]).map((line) => `${place}: ${line}`);
  }

  it.each([...LOOKS, ...(PICTURES === undefined ? [] : MORE_LOOKS)])(
    "no page has a violation: $name",
    async ({ name, ...look }) => {
      const here = await visit(stage, look);
      here.fake.data.practice = PRACTICE;
      here.fake.live.frames = [stage.picture];
      await here.go("/");
      const found: string[] = [];
      for (const [path, text, open = []] of PAGES) {
        await here.move(path);
        await arrived(here, text);
        for (const summary of open) await here.page.getByText(summary, { exact: true }).first().click();
        found.push(...(await violations(here, path)));
        const fits = await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
        if (!fits) found.push(`${path}: is wider than the screen`);
      }
      await here.move("/receipts/task_done");
      await here.page.getByRole("button", { name: "Check it now, in this browser" }).click();
      await here.page.getByText("The evidence holds.").waitFor();
      found.push(...(await violations(here, "a verified receipt")));
      await picture(here, `verified-${name}`);
      for (const [path, button] of DIALOGS) {
        await here.move(path);
        await here.page.getByRole("button", { name: button, exact: true }).first().click();
        await here.page.getByRole("alertdialog").first().waitFor();
        found.push(...(await violations(here, `${path} dialog`)));
        await picture(here, `dialog${path.replaceAll("/", "_")}-${name}`);
        await here.page.keyboard.press("Escape");
      }
      expect(found).toEqual([]);
      await here.close();
    },
    WALK_MS,
  );

  it.each(LOOKS)(
    "nor has an empty page, one that waits, one that is out of date, or one for nobody: $name",
    async ({ name: _name, ...look }) => {
      const here = await visit(stage, look);
      await here.go("/");
      const found: string[] = [];
      here.fake.mode = "empty";
      for (const path of ["/tasks", "/consents", "/accounts", "/agents", "/receipts", "/authorities", "/protocols"]) {
        await here.move(path);
        await here.page.getByRole("heading", { level: 1 }).waitFor();
        await here.page.locator(".empty").waitFor();
        found.push(...(await violations(here, `${path} empty`)));
      }
      here.fake.mode = "in";
      here.fake.slowMs = 600_000;
      await here.go("/tasks");
      await here.page.getByText("Loading…").waitFor();
      found.push(...(await violations(here, "loading")));
      here.fake.slowMs = 0;
      await here.go("/tasks");
      await here.page.getByText("May have happened").waitFor();
      here.fake.mode = "down";
      await here.page.getByRole("alert").first().waitFor();
      found.push(...(await violations(here, "out of date")));
      here.fake.mode = "out";
      await here.go("/tasks");
      await here.page.getByText("countersign link", { exact: true }).waitFor();
      found.push(...(await violations(here, "signed out")));
      await here.go("/link#one-time-token-of-a-test");
      found.push(...(await violations(here, "link")));
      expect(found).toEqual([]);
      await here.close();
    },
    WALK_MS,
  );
});

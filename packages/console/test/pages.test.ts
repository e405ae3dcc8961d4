import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";
import { PRACTICE } from "./fake/data.ts";

const PICTURES = process.env["CONSOLE_PICTURES"];
const executable = findBrowser();
if (executable === undefined) {
  const why = "No Chromium was found: the console's pages were NOT tested. Install one, or set CHROMIUM_PATH.";
  if (process.env["CI"]) throw new Error(why);
  console.warn(`\n*** SKIPPED: ${why}\n`);
}

const PAGES = [
  ["/link#one-time-token-of-a-test", "Sign in here"],
  ["/", "Your decision is needed"],
  ["/agents", "Bookkeeper"],
  ["/agents/agent_new", "Accept"],
  ["/consents", "Errand agent asks to act"],
  ["/consents/cons_asked", "Which account?"],
  ["/consents/cons_open", "You may set one"],
  ["/consents/cons_granted", "What it covers"],
  ["/consents/cons_revoked", "not undone"],
  ["/accounts", "Alex Example"],
  ["/continuations/cont_live", "I have signed in"],
  ["/continuations/cont_form", "Continue"],
  ["/continuations/cont_agree", "There is nothing to type"],
  ["/continuations/cont_expired", "has expired"],
  ["/approvals/act_pending", "49.90 EUR"],
  ["/approvals/act_changed", "What is different"],
  ["/approvals/act_deceptive", "U+202E"],
  ["/approvals/act_tampered", "cannot show this proposal faithfully"],
  ["/approvals/act_expired", "Nobody decided in time"],
  ["/approvals/act_done", "You approved this"],
  ["/tasks", "May have happened"],
  ["/agents/agent_old", "What it may do"],
  ["/tasks/task_done", "The site confirmed it."],
  ["/tasks/task_restored", "What did you find at the site?"],
  ["/receipts", "differs from what you approved"],
  ["/receipts/task_done", "SO-100233"],
  ["/authorities", "Grandma's new tablet"],
  ["/practice", "What goes wrong with the next order"],
  ["/more", "Receipts"],
  ["/passkeys", "Confirm with an older passkey"],
  ["/tasks/task_review", "being read back"],
  ["/tasks/task_denied", "above a limit"],
  ["/no/such/page", "There is nothing here"],
] as const;

const LOOKS = [
  { name: "360-light", viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true },
  { name: "360-dark", viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true },
  { name: "1280-light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { name: "1280-dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
] as const;
/** All four for who looks at the pictures; two differ in all that the tests judge. */
const SIZES = PICTURES === undefined ? [LOOKS[0], LOOKS[3]] : LOOKS;
const WALK_MS = 120_000;

describe.skipIf(executable === undefined)("pages in a browser", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
    if (PICTURES !== undefined) await mkdir(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await stage?.close();
  });

  it.each(SIZES)(
    "every page is drawn under the strict policy with a clean console: $name",
    async ({ name, ...look }) => {
      const here = await visit(stage, { ...look });
      here.fake.live.frames = [stage.picture];
      here.fake.data.practice = PRACTICE;
      for (const [path, text] of PAGES) {
        await (path.startsWith("/link") ? here.go(path) : here.move(path));
        await here.page.locator("main").getByText(text).first().waitFor();
        const fits = await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
        expect(fits, `${path} fits its width`).toBe(true);
        if (PICTURES !== undefined) {
          if (path.includes("cont_live")) await here.page.locator("canvas[data-frame]").waitFor();
          const file = path.replace(/[#?].*$/, "").replaceAll("/", "_");
          await here.page.screenshot({ path: `${PICTURES}/${file}-${name}.png`, fullPage: true });
        }
      }
      expect(here.complaints).toEqual([]);
      expect(here.foreign).toEqual([]);
      await here.close();
    },
    WALK_MS,
  );

  it("U38 opening a sign-in link changes nothing; its token leaves the address bar, and a press spends it", async () => {
    here = await visit(stage);
    await here.go("/link#one-time-token-of-a-test");
    expect(here.page.url()).toBe(`${here.fake.origin}/link`);
    expect(here.fake.posts).toEqual([]);
    await here.page.getByRole("button", { name: "Sign in here" }).click();
    await here.page.getByRole("button", { name: "Later" }).click();
    await here.page.getByRole("heading", { name: "Inbox" }).waitFor();
    expect(here.fake.posts).toEqual([{ path: "/session", body: { link_token: "one-time-token-of-a-test" } }]);
    await here.close();
  });

  it("says how to sign in when signed out, and that the gateway is in trouble when it is", async () => {
    here = await visit(stage);
    for (const path of ["/", "/tasks", "/accounts", "/approvals/act_pending", "/continuations/cont_live"]) {
      here.fake.mode = "out";
      await here.go(path);
      await here.page.getByText("countersign link", { exact: true }).waitFor();
      here.fake.mode = "down";
      await here.go(path);
      await here.page.getByRole("alert").getByText("The gateway could not do that").waitFor();
    }
    await here.close();
  });

  it("keeps the last good answer while the gateway is away, and says so", async () => {
    here = await visit(stage);
    await here.go("/receipts/task_done");
    await here.page.getByText("SO-100233").waitFor();
    here.fake.mode = "down";
    const alert = here.page.getByRole("alert").first();
    await alert.getByText("What you see here may be out of date. It was last read").waitFor();
    expect(await alert.locator("time").getAttribute("datetime")).toMatch(/^20/);
    expect(await here.page.getByText("SO-100233").isVisible()).toBe(true);
    await here.close();
  });

  it("an empty page says that it is empty", async () => {
    here = await visit(stage);
    here.fake.mode = "empty";
    await here.go("/");
    for (const [path, text] of [
      ["/", "Nothing waits for you."],
      ["/tasks", "No agent has proposed anything yet."],
      ["/consents", "No agent has asked for a grant."],
      ["/accounts", "No account is connected."],
      ["/agents", "No agent has asked to be let in."],
      ["/receipts", "There are no receipts yet."],
      ["/authorities", "This gateway knows no outside authorities."],
    ] as const) {
      await here.move(path);
      await here.page.getByText(text).waitFor();
    }
    await here.close();
  });

  it("works with the keyboard alone: to an approval, and to its decision", async () => {
    here = await visit(stage);
    await here.go("/");
    await here.page.getByRole("link", { name: /Your decision is needed/ }).waitFor();
    await here.page.getByRole("link", { name: /Your decision is needed/ }).focus();
    await here.page.keyboard.press("Enter");
    const deny = here.page.getByRole("button", { name: "Deny" });
    await deny.waitFor();
    await expect.poll(() => deny.isEnabled()).toBe(true);
    for (let i = 0; i < 10 && !(await deny.evaluate((el) => el === document.activeElement)); i++)
      await here.page.keyboard.press("Tab");
    await here.page.keyboard.press("Enter");
    await here.page.getByText("You denied this. Nothing was done.").waitFor();
    await here.close();
  });
});

import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { chromium } from "playwright-core";
import { ensureConsole } from "../../packages/countersign/src/setup/console-build.ts";
import { PAGE_COOKIE } from "../../packages/gateway/src/http/trusted/guard.ts";
import type { Person } from "./person.ts";

const PATIENCE_MS = 60_000;

/** The trusted interface's pages, for a world that somebody looks at. */
export async function pagesOfConsole() {
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  return { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES };
}

export interface Approver {
  /** Opens the page that an agent gave them, reads it, and presses the button. */
  approve(url: string): Promise<void>;
  close(): Promise<void>;
}

/** The account holder in a real browser, where they are signed in. */
export async function openApprover(issuer: string, person: Person): Promise<Approver> {
  const found = findChromium(process.env);
  assert(found.ok, "a Chromium is installed");
  const browser = await chromium.launch({
    executablePath: found.value,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
  // The two cookies of the person's own session: one of the browser's, one that its pages show.
  const [name = "", value = ""] = person.cookie.split("=");
  const its = { url: issuer.replace("http:", "https:"), secure: true };
  await context.addCookies([
    { ...its, name, value, httpOnly: true },
    { ...its, name: PAGE_COOKIE, value: person.pageToken },
  ]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return {
    async approve(url) {
      await page.goto(url);
      // The task's own page leads to the decision that waits.
      const { action_id: actionId } = await person.approvalFor(new URL(url).pathname.slice("/tasks/".length));
      await page.goto(`${issuer}/approvals/${String(actionId)}`);
      await page.getByRole("button", { name: "Approve and order" }).click();
      await page.getByText("You approved this.").waitFor();
    },
    close: () => browser.close(),
  };
}

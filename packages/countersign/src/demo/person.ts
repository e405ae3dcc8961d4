import { PRACTICE_USER } from "@countersign/practice";
import { TOTP } from "otpauth";
import { chromium, type Page } from "playwright-core";

/**
 * Plays the account holder for `countersign demo --yes`: a process of its own that knows the sign-in link, as a person
 * does, and reaches the gateway only through its pages in a real browser. Reads one JSON line from standard input.
 */
interface Start {
  readonly link: string;
  readonly chromium: string;
  readonly sandbox: "on" | "off";
}

const LOOK_MS = 300;
const STEP_MS = 60_000;
const TYPING_MS = 15;
const STILL_MS = 1_500;

let ending = false;

async function main(): Promise<void> {
  const start = await readStart();
  const browser = await chromium.launch({
    executablePath: start.chromium,
    chromiumSandbox: start.sandbox === "on",
    args: ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  process.once("SIGTERM", () => {
    // The demonstration is over: whatever page is open may be left in the middle of a look.
    void browser.close().finally(() => process.exit(0));
    ending = true;
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(STEP_MS);
    await page.goto(start.link);
    await page.getByRole("button", { name: "Sign in here" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    for (;;) await answerInbox(page);
  } finally {
    await browser.close();
  }
}

/** Opens the first thing that waits, and deals with it as its page says. */
async function answerInbox(page: Page): Promise<void> {
  const origin = new URL(page.url()).origin;
  await page.goto(`${origin}/`);
  const first = page.locator("ul.cards a").first();
  const empty = page.getByText("Nothing waits for you.");
  await first.or(empty).waitFor();
  if (await empty.isVisible()) {
    await page.waitForTimeout(LOOK_MS);
    return;
  }
  const href = (await first.getAttribute("href")) ?? "/";
  await first.click();
  if (href.startsWith("/agents/")) await press(page, "Accept", "Accepted");
  else if (href.startsWith("/consents/")) await grant(page);
  else if (href.startsWith("/approvals/")) await press(page, /^Approve/, "You approved this.");
  else if (href.startsWith("/continuations/")) await signIn(page);
  else throw new Error(`the person does not know what to do at ${href}`);
}

async function press(page: Page, name: string | RegExp, then: string): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByText(then, { exact: true }).waitFor();
}

async function grant(page: Page): Promise<void> {
  const connect = page.getByRole("button", { name: "Connect an account through the site's own pages" });
  const account = page.getByRole("radiogroup", { name: "Which account?" }).getByRole("radio").first();
  await connect.waitFor();
  await page.waitForTimeout(LOOK_MS);
  if (!(await account.isVisible())) {
    await connect.click();
    await signIn(page);
    await page.getByRole("radiogroup", { name: "Which account?" }).getByRole("radio").first().waitFor();
  }
  await page.getByRole("button", { name: "Grant", exact: true }).click();
  await page.getByText("Granted", { exact: true }).waitFor();
}

/** Signs in at the shop itself, through its own page in the live view: password, then the one-time code. */
async function signIn(page: Page): Promise<void> {
  const screen = page.getByRole("application", { name: "The site's page" });
  await at(page, "/sign-in");
  await screen.focus();
  await page.keyboard.type(PRACTICE_USER.email, { delay: TYPING_MS });
  await page.keyboard.press("Tab");
  await page.keyboard.type(PRACTICE_USER.password, { delay: TYPING_MS });
  await page.keyboard.press("Enter");
  await at(page, "/sign-in/verify");
  await page.keyboard.type(new TOTP({ secret: PRACTICE_USER.totpSecret }).generate(), { delay: TYPING_MS });
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".address .quiet")?.textContent?.startsWith("/sign-in"));
  await page.getByRole("button", { name: "I have signed in" }).click();
  await screen.waitFor({ state: "detached" });
}

/**
 * Waits until the address bar of the live view says that the site shows this page, and a picture has come since: a page
 * whose address is known already may still be the old one to the keyboard. One that stands still sends no more pictures.
 */
async function at(page: Page, path: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector(".address .quiet")?.textContent === wanted &&
      document.querySelector("canvas.screen")?.hasAttribute("data-frame"),
    path,
  );
  const shown = await page.locator("canvas.screen").getAttribute("data-frame");
  await page
    .waitForFunction(
      (before) => document.querySelector("canvas.screen")?.getAttribute("data-frame") !== before,
      shown,
      { timeout: STILL_MS },
    )
    .catch(() => undefined);
}

async function readStart(): Promise<Start> {
  let text = "";
  for await (const part of process.stdin) text += String(part);
  return JSON.parse(text) as Start;
}

await main().catch((error: unknown) => {
  if (ending) return;
  process.stderr.write(
    `The person could not go on: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unknown"}\n`,
  );
  process.exitCode = 1;
});

import { SiteTrouble } from "@countersign/plugin";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { CLICK_TAKES_MS, CLICKS_MAX } from "./limits.ts";
import { type Attempt, signIn } from "./stop.ts";

const SIGN_IN_PATH = "/account/login";

/**
 * Opens one of the shop's pages, hands it to `look`, and closes it. The account's pages lead a signed-out person to the
 * sign-in page; `/cart` and `/checkout` do not.
 * @throws SiteTrouble when the page does not come or is not as it should be.
 */
export async function visit<T>(
  session: BrowserSession,
  path: string,
  look: (page: Page) => Promise<Attempt<T>>,
): Promise<Attempt<T>> {
  const page = await session.page(path);
  try {
    return isSignIn(page) ? signIn() : await onPage(session, () => look(page));
  } finally {
    await page.close().catch(() => {});
  }
}

/** Whether somebody is signed in: the one page that leads away when nobody is. */
export function signedIn(session: BrowserSession): Promise<Attempt<void>> {
  return visit(session, "/account", async (page) => {
    if (pathOf(page) !== "/account") throw new SiteTrouble("the shop did not show the account");
    return ok(undefined);
  });
}

/** Playwright's errors quote the page, so only the step's failure is passed on. */
export async function onPage<T>(session: BrowserSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What a throttled page lacks looks like a shop of another make (browser notes, pitfall 6).
    if (session.seen429()) throw new SiteTrouble("the shop asks to come more slowly");
    if (error instanceof SiteTrouble) throw error;
    throw new SiteTrouble("the shop's page did not do as it was asked");
  }
}

/** Presses until it shows: the shop's pages stand there before their script takes clicks. `press` must bear repeating. */
export async function pressUntil(press: () => Promise<void>, shows: (timeoutMs: number) => Promise<void>) {
  for (let tries = 1; ; tries++) {
    await press();
    try {
      return await shows(CLICK_TAKES_MS);
    } catch (error) {
      if (tries >= CLICKS_MAX) throw error;
    }
  }
}

export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}

export function isSignIn(page: Page): boolean {
  return pathOf(page) === SIGN_IN_PATH;
}

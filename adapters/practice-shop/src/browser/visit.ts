import { SiteTrouble } from "@countersign/plugin";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { type Attempt, signIn } from "../shared/stop.ts";

const SIGN_IN_PATH = "/sign-in";

/**
 * Opens one of the shop's pages, hands it to `look`, and closes it. Every page of a signed-out person is the sign-in page.
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

/** Playwright's errors quote the page, so only the step's failure is passed on. */
export async function onPage<T>(session: BrowserSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SiteTrouble) throw error;
    if (session.seen429()) throw new SiteTrouble("the shop asks to come more slowly");
    throw new SiteTrouble("the shop's page did not do as it was asked");
  }
}

/** Takes a page of the shop's on to another of its paths. */
export async function goTo(page: Page, path: string): Promise<Attempt<void>> {
  await page.goto(new URL(path, page.url()).href, { waitUntil: "domcontentloaded" });
  return isSignIn(page) ? signIn() : ok(undefined);
}

/** Clicks what leads to another document, and waits for that. */
export async function follow(page: Page, click: () => Promise<void>): Promise<Attempt<void>> {
  await Promise.all([page.waitForEvent("domcontentloaded"), click()]);
  return isSignIn(page) ? signIn() : ok(undefined);
}

export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}

export function isSignIn(page: Page): boolean {
  return pathOf(page) === SIGN_IN_PATH;
}

/** @throws SiteTrouble when the page is not the one it should be: an error page, another step. */
export function expectHeading(seen: string, expected: string): void {
  // The shop's own text stays out of the message: it may name the person.
  if (seen !== expected) throw new SiteTrouble(`the shop did not show "${expected}"`);
}

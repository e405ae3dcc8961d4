import { type Answer, SiteTrouble } from "@countersign/plugin";
import { type Attempt, wantsSignIn } from "@countersign/plugin/site";
import { ok } from "@countersign/wire";
import type { Page } from "playwright-core";
import type { BrowserSession } from "../session/session.ts";

// How an adapter goes through a site's pages: each step ends on a page, at the site's sign-in, or as trouble whose words
// hold nothing of the page.

export interface SiteWords {
  /** Every page of a signed-out person leads there. */
  readonly signInPath: string;
  /** For example "the bank"; goes into messages. */
  readonly site: string;
}

export interface Visits {
  /**
   * Opens one of the site's pages, hands it to `look`, and closes it.
   * @throws SiteTrouble when the page does not come or is not as it should be.
   */
  visit<T>(session: BrowserSession, path: string, look: (page: Page) => Promise<Attempt<T>>): Promise<Attempt<T>>;
  /** Playwright's errors quote the page, so only the step's failure is passed on. */
  onPage<T>(session: BrowserSession, work: () => Promise<T>): Promise<T>;
  /** Clicks what leads to another document, and waits for that. */
  follow(page: Page, click: () => Promise<void>): Promise<Attempt<void>>;
  isSignIn(page: Page): boolean;
  /** @throws SiteTrouble when the page is not the one it should be: an error page, another step, half a page. */
  expectHeading(seen: string, expected: string): void;
}

export function createVisits({ signInPath, site }: SiteWords): Visits {
  const isSignIn = (page: Page): boolean => pathOf(page) === signInPath;
  const onPage = async <T>(session: BrowserSession, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // What a throttled page lacks looks like a site of another make.
      if (session.seen429()) throw new SiteTrouble(`${site} asks to come more slowly`);
      if (error instanceof SiteTrouble) throw error;
      throw new SiteTrouble(`${site}'s page did not do as it was asked`);
    }
  };
  return {
    isSignIn,
    onPage,
    async visit(session, path, look) {
      const page = await session.page(path);
      try {
        return isSignIn(page) ? wantsSignIn() : await onPage(session, () => look(page));
      } finally {
        await page.close().catch(() => {});
      }
    },
    async follow(page, click) {
      await Promise.all([page.waitForEvent("domcontentloaded"), click()]);
      return isSignIn(page) ? wantsSignIn() : ok(undefined);
    },
    expectHeading(seen, expected) {
      // The site's own text stays out of the message: it may name the person.
      if (seen !== expected) throw new SiteTrouble(`${site} did not show "${expected}"`);
    },
  };
}

export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}

/** Where a redirect at the site's own origin leads: its path; undefined for every other answer. */
export function redirectPath(answer: Answer, status: number, origin: string): string | undefined {
  const [location, ...others] = headersNamed(answer, "location");
  if (answer.status !== status || location === undefined || others.length > 0) return undefined;
  const url = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  return url?.origin === origin ? url.pathname : undefined;
}

/** Whether an answer is the site's own page with this heading. */
export function isPageWith(answer: Answer, status: number, heading: string): boolean {
  const [type = ""] = headersNamed(answer, "content-type");
  if (answer.status !== status || !type.startsWith("text/html")) return false;
  return new TextDecoder().decode(answer.body).includes(`<h1>${heading}</h1>`);
}

function headersNamed(answer: Answer, wanted: string): readonly string[] {
  return answer.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

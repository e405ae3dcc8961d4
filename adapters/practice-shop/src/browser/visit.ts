import { type Attempt, ok, wantsSignIn } from "@countersign/plugin/site";
import { createVisits, type Page } from "@countersign/route-browser";

export const { visit, onPage, follow, isSignIn, expectHeading } = createVisits({
  signInPath: "/sign-in",
  site: "the shop",
});

/** Takes a page of the shop's on to another of its paths. */
export async function goTo(page: Page, path: string): Promise<Attempt<void>> {
  await page.goto(new URL(path, page.url()).href, { waitUntil: "domcontentloaded" });
  return isSignIn(page) ? wantsSignIn() : ok(undefined);
}

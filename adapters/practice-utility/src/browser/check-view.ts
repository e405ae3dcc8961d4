import { type Attempt, gap, ok, SiteTrouble, wantsSignIn } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { DRAWN_MS } from "../shared/limits.ts";
import type { DraftBody } from "../shared/wish.ts";
import { drawn, factOf, type Look, look, onView, visits } from "./view.ts";

const CHECK = /^\/check\/([\w-]{20,64})$/;
const FAILED = "This did not work";

/** A form of the provider's and the last screen that it leads to. */
export interface FormView<O> {
  readonly path: (body: DraftBody) => string;
  readonly heading: string;
  /** Fills in what the wish is; the reference has a field of its own. */
  readonly fill: (page: Page, body: DraftBody) => Promise<Attempt<void>>;
  readonly checkHeading: string;
  /** What the last screen says. @throws SiteTrouble when it is not exactly as it should be, or of something else. */
  readonly offerOf: (seen: Look, body: DraftBody) => O;
}

export interface Checked<O> {
  readonly page: Page;
  readonly draft: string;
  readonly offer: O;
}

/** Why the provider will not do it, by its own words, in ours. */
const GAPS: Readonly<Record<string, string>> = {
  "There is nothing at this address.": "the provider has no such bill here",
  "There is no such contract.": "the provider has no such contract here",
  "There is no such bill.": "the provider has no such bill here",
  "Nothing is to be paid of this bill.": "nothing is to be paid of this bill",
  "This day is not possible.": "the provider does not take a payment on this day",
  "There is no such payment method.": "the provider does not take this way to pay",
  "It is so already.": "it is so already",
};

/** @throws SiteTrouble when the provider's words are no answer to what was asked. */
export function gapOf(seen: Look): Attempt<never> {
  const why = seen.alerts.map((alert) => (Object.hasOwn(GAPS, alert) ? GAPS[alert] : undefined))[0];
  if (why === undefined) throw new SiteTrouble("the provider's view did not come");
  return gap(why);
}

/** Fills in a form and goes on to the last screen. The page stays open; nothing is done. */
export function toCheck<O>(
  session: BrowserSession,
  view: FormView<O>,
  body: DraftBody,
  reference: string,
): Promise<Attempt<Checked<O>>> {
  return visits.onPage(session, async () => {
    const page = await session.page(view.path(body));
    const form = await drawn(page);
    if (!form.ok) return form;
    if (form.value.heading === FAILED) return gapOf(form.value);
    if (form.value.heading === "Nothing to pay") return gap("nothing is to be paid of this bill");
    visits.expectHeading(form.value.heading, view.heading);
    const filled = await view.fill(page, body);
    if (!filled.ok) return filled;
    await page.getByLabel("Your reference", { exact: true }).fill(reference);
    await page.getByRole("button", { name: "Go on", exact: true }).click();
    // The last screen, the form's own alert, a view that did not come, or the way to the sign-in.
    const next = page.getByRole("heading", { level: 1, name: view.checkHeading, exact: true });
    await next
      .or(page.getByRole("alert"))
      .or(page.getByRole("heading", { level: 1, name: "Sign in to Northlight" }))
      .first()
      .waitFor({ timeout: DRAWN_MS });
    if (visits.isSignIn(page)) return wantsSignIn();
    const seen = await look(page);
    const draft = CHECK.exec(pathOf(page))?.[1];
    if (seen.heading !== view.checkHeading || draft === undefined) return gapOf(seen);
    const offer = view.offerOf(seen, body);
    if (factOf(seen, "Your reference") !== reference) throw new SiteTrouble("the provider did not keep the reference");
    return ok({ page, draft, offer });
  });
}

/** The same last screen again, as the provider shows it now. */
export function againAtCheck<O>(
  session: BrowserSession,
  view: FormView<O>,
  body: DraftBody,
  draft: string,
): Promise<Attempt<O>> {
  return onView(session, `/check/${draft}`, async (seen) => {
    if (seen.heading !== FAILED) {
      visits.expectHeading(seen.heading, view.checkHeading);
      return ok(view.offerOf(seen, body));
    }
    const over = ["This was done already.", "This was not confirmed in time. Nothing was changed."];
    return seen.alerts.some((alert) => over.includes(alert))
      ? gap("the provider's last screen has run out")
      : gapOf(seen);
  });
}

/** How a draft stands: still to be confirmed, done, or such that nothing can come of it. */
export function draftStands(
  session: BrowserSession,
  checkHeading: string,
  draft: string,
): Promise<Attempt<"waits" | "done" | "over" | "unknown">> {
  return onView(session, `/check/${draft}`, async (seen) => {
    if (seen.heading === checkHeading) return ok("waits");
    if (seen.heading !== FAILED) return ok("unknown");
    if (seen.alerts.includes("This was done already.")) return ok("done");
    const refused = seen.alerts.some((alert) => Object.hasOwn(GAPS, alert));
    return ok(
      refused || seen.alerts.includes("This was not confirmed in time. Nothing was changed.") ? "over" : "unknown",
    );
  });
}

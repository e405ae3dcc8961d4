import { type Attempt, gap, ok, SiteTrouble } from "@countersign/plugin/site";
import { type BrowserSession, type LastPage, type Page, pathOf } from "@countersign/route-browser";
import type { CancellationOffer } from "../shared/cancellation.ts";
import { OFFERS_MAX } from "../shared/limits.ts";
import { factOf, type Look, look, onlyFacts, printedDay, visits } from "./page-text.ts";

const OFFER = /^\/leaving\/([\w-]{20,64})\/offers\/([1-9])$/;
const CONFIRM = /^\/leaving\/([\w-]{20,64})\/confirm$/;
const COUNT = /: offer ([1-9]) of ([1-9])$/;
export const LAST_HEADING = "Cancel your plan?";

const WORD = "CANCEL";

export interface Leaving extends LastPage<CancellationOffer> {
  /** The path of the last page; it leads on to what came of it. */
  readonly chosen: { readonly draft: string };
}

/**
 * Gives a reason, says no to each offer to stay, and ends at the last page, which stays open. Nothing is sent that would
 * take an offer up: saying no is a link, and taking one up is a request that the route refuses (see `commits`).
 */
export function toLastPage(session: BrowserSession, subscription: string): Promise<Attempt<Leaving>> {
  return visits.onPage(session, async () => {
    if (!/^[\w-]{1,64}$/.test(subscription)) return gap("the service has no such subscription here");
    const page = await session.page(`/subscriptions/${subscription}/cancel`);
    if (visits.isSignIn(page)) return { ok: false, reason: { kind: "sign_in" } };
    const { heading } = await look(page);
    if (heading === "No such subscription") return gap("the service has no such subscription here");
    if (heading === "This is cancelled already") return gap("the subscription is cancelled already");
    visits.expectHeading(heading, "May we ask why?");
    await page.getByRole("radio", { name: "I would rather not say", exact: true }).check();
    const gone = await visits.follow(page, () => page.getByRole("button", { name: "Continue", exact: true }).click());
    return gone.ok ? walk(page, subscription) : gone;
  });
}

/** The same again from its first offer, on a page of its own, as the service has it now. */
export async function againToLastPage(
  session: BrowserSession,
  draft: string,
  subscription: string,
): Promise<Attempt<CancellationOffer>> {
  const first = draft.replace(/confirm$/, "offers/1");
  return visits.visit(session, first, async (page) => {
    const walked = await walk(page, subscription);
    return walked.ok ? ok(walked.value.offer) : walked;
  });
}

async function walk(page: Page, subscription: string): Promise<Attempt<Leaving>> {
  const offers: { readonly title: string; readonly text: string }[] = [];
  let count = 0;
  while (OFFER.test(pathOf(page)) && offers.length <= OFFERS_MAX) {
    const seen = await look(page);
    const offered = offerOf(seen, offers.length + 1);
    count = offered.count;
    offers.push(offered.offer);
    const no = page.getByRole("link", { name: "No thanks, continue to cancel", exact: true });
    const gone = await visits.follow(page, () => no.click());
    if (!gone.ok) return gone;
  }
  const draft = pathOf(page);
  if (!CONFIRM.test(draft)) throw new SiteTrouble("the service did not come to its last page");
  // An offer that was passed over would be missing in what the person reads.
  if (offers.length !== count) throw new SiteTrouble("the service did not show each of its offers");
  const press = async () => {
    await page.getByRole("checkbox", { name: "I understand what I lose", exact: true }).check();
    await page.getByRole("textbox", { name: `Type ${WORD} to confirm`, exact: true }).fill(WORD);
    await page.getByRole("button", { name: "Cancel my plan", exact: true }).click();
  };
  return ok({ page, chosen: { draft }, offer: { subscription, ...lastOf(await look(page)), offers }, press });
}

/** One offer for staying. @throws SiteTrouble when it is not the one that comes next. */
export function offerOf(
  seen: Look,
  wanted: number,
): { readonly offer: { readonly title: string; readonly text: string }; readonly count: number } {
  const [, at, of] = COUNT.exec(seen.step) ?? [];
  if (Number(at) !== wanted || of === undefined || seen.heading === "" || seen.below === "")
    throw new SiteTrouble("the service shows an offer that cannot be read");
  return { offer: { title: seen.heading, text: seen.below }, count: Number(of) };
}

/** What the last page says. @throws SiteTrouble when it is not exactly as it should be. */
export function lastOf(seen: Look): Pick<CancellationOffer, "plan" | "endsOn" | "consequence"> {
  visits.expectHeading(seen.heading, LAST_HEADING);
  onlyFacts(seen.facts, ["Your plan", "Ends on", "What you lose"]);
  return {
    plan: factOf(seen.facts, "Your plan"),
    endsOn: printedDay(factOf(seen.facts, "Ends on")),
    consequence: factOf(seen.facts, "What you lose"),
  };
}

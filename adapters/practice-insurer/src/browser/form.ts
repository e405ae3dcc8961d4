import { type Attempt, formatMoney, gap, ok, SiteTrouble } from "@countersign/plugin/site";
import { type BrowserSession, type Frame, followIn, frameIn, type LastPage } from "@countersign/route-browser";
import type { ClaimOffer, ClaimWish } from "../shared/claim.ts";
import { CURRENCY, factOf, type Look, look, onlyKnown, printedDay, printedMinor, said, visits } from "./page-text.ts";

// The claims company's form in the insurer's frame: three windows, each a page of the frame's own.

const FORM = "/claims/new";
const TITLE = "Claim form";
const NAME = /^Claim (D-[0-9]{1,12}), step ([1-3]) of 3$/;
const FACTS = [
  "Policy",
  "Insured",
  "What happened",
  "Day it happened",
  "Amount claimed",
  "Excess, which you bear",
  "We expect to pay",
  "Paid to",
  "Your own reference",
  "You declare",
];

/** What was chosen on the way, so that the last step is known to be of that. */
export interface Chosen {
  /** The number under which the insurer keeps what was begun. */
  readonly draft: string;
  readonly policyRef: string;
  /** The policy in the insurer's own words. */
  readonly policy: string;
}

type Check = LastPage<ClaimOffer> & { readonly chosen: Chosen };

/** Goes through the form to its last step. The page stays open; nothing is sent. */
export function toCheck(session: BrowserSession, wish: ClaimWish, own: string): Promise<Attempt<Check>> {
  return visits.onPage(session, async () => {
    const page = await session.page(FORM);
    if (visits.isSignIn(page)) return { ok: false, reason: { kind: "sign_in" } };
    visits.expectHeading((await look(page)).heading, "Make a claim");
    const frame = await frameIn(page, TITLE);
    const draft = stepOf(await look(frame), 1, "What happened?");
    const policy = await choose(frame, wish.policyRef);
    if (policy === undefined) return gap("the insurer has no such policy here");
    await frame.getByLabel("What happened", { exact: true }).fill(wish.description);
    await goOn(frame);
    stepOf(await look(frame), 2, "When, and how much?");
    const amount = frame.getByLabel(`Amount you claim in ${wish.currency}`, { exact: true });
    if ((await amount.count()) !== 1) return gap("the insurer takes claims in another currency");
    await frame.getByLabel("Day it happened", { exact: true }).fill(wish.incidentOn);
    await amount.fill(formatMoney({ minor: wish.claimedMinor, currency: wish.currency }, "amount"));
    await frame.getByLabel("Your own reference", { exact: true }).fill(own);
    await goOn(frame);
    const last = await look(frame);
    if (last.step?.heading === "When, and how much?") return gap(problemOf(last.alerts));
    const chosen = { draft, policyRef: wish.policyRef, policy };
    const offer = offerOf(last, chosen);
    if (offer.ownReference !== own) throw new SiteTrouble("the insurer did not keep the reference");
    // The person answers for every word: what the insurer does not keep as it was said is not submitted.
    if (offer.description !== wish.description) return gap("the insurer does not keep the text as it is");
    const send = frame.getByRole("dialog").getByRole("button", { name: "Send my claim", exact: true });
    return ok({ page, chosen, offer, press: () => send.press("Enter"), origin: new URL(frame.url()).origin });
  });
}

/** The last step of a claim that was begun, as the insurer shows it now. */
export function againAtCheck(session: BrowserSession, chosen: Chosen): Promise<Attempt<ClaimOffer>> {
  return visits.visit(session, `${FORM}?claim=${encodeURIComponent(chosen.draft)}`, async (page) => {
    visits.expectHeading((await look(page)).heading, "Make a claim");
    return ok(offerOf(await look(await frameIn(page, TITLE)), chosen));
  });
}

/** By the keyboard: a window in a frame may reach below the part of the page that is in view. */
async function goOn(frame: Frame): Promise<void> {
  await followIn(frame, () => frame.getByRole("button", { name: "Continue", exact: true }).press("Enter"));
}

/** Chooses by the value that the insurer gives a policy; its text, or undefined when it is not offered. */
async function choose(frame: Frame, value: string): Promise<string | undefined> {
  const list = frame.getByLabel("Policy", { exact: true });
  const option = list.locator("option").and(frame.locator(`[value=${JSON.stringify(value)}]`));
  if ((await option.count()) !== 1) return undefined;
  await list.selectOption({ value });
  return ((await option.textContent()) ?? "").trim();
}

/** The number of what was begun. @throws SiteTrouble when the frame shows another step, or something else. */
function stepOf({ step }: Look, number: number, heading: string): string {
  const [, draft, at] = NAME.exec(step?.name ?? "") ?? [];
  visits.expectHeading(step?.heading ?? "", heading);
  if (draft === undefined || Number(at) !== number) throw new SiteTrouble("the insurer's form is at another step");
  return draft;
}

/** What the last step says will be sent. @throws SiteTrouble when it is not exactly as it should be, or of something else. */
export function offerOf(seen: Look, chosen: Chosen): ClaimOffer {
  const draft = stepOf(seen, 3, "Check and send");
  const facts = seen.step?.facts ?? [];
  onlyKnown(facts, FACTS);
  const named = factOf(facts, "Policy");
  if (draft !== chosen.draft || named !== chosen.policy) throw new SiteTrouble("the insurer shows another claim");
  const [, name = "", number = ""] = /^(.+) ([^ ]+)$/.exec(named) ?? [];
  const claimedMinor = printedMinor(factOf(facts, "Amount claimed"));
  const excessMinor = printedMinor(factOf(facts, "Excess, which you bear"));
  // What is paid stands in no term: it has to follow from those that are approved.
  if (claimedMinor - excessMinor !== printedMinor(factOf(facts, "We expect to pay")))
    throw new SiteTrouble("the insurer's figures do not add up");
  return {
    policy: { id: chosen.policyRef, name, number },
    insured: factOf(facts, "Insured"),
    happenedOn: printedDay(factOf(facts, "Day it happened")),
    description: factOf(facts, "What happened"),
    ownReference: said(facts, "Your own reference") ?? "",
    currency: CURRENCY,
    claimedMinor,
    excessMinor,
    paidTo: factOf(facts, "Paid to"),
    declaration: factOf(facts, "You declare"),
  };
}

/** In our words: the insurer's may hold a name. */
function problemOf(alerts: readonly string[]): string {
  switch (alerts[0]) {
    case "Your policy did not run on that day.":
      return "the policy did not run on that day";
    case "That day is still to come.":
      return "the day is still to come";
    case "The amount is not above the excess: nothing would be paid.":
      return "the amount is not above what the person bears themselves";
    case "The amount is above what your policy covers.":
      return "the amount is above what the policy covers";
    default:
      return "the insurer does not take this claim";
  }
}

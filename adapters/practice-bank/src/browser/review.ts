import { type Attempt, formatMoney, gap, ok, SiteTrouble } from "@countersign/plugin/site";
import { type BrowserSession, type LastPage, type Page, pathOf } from "@countersign/route-browser";
import type { TransferOffer, TransferWish } from "../shared/transfer.ts";
import { endingOf } from "./accounts.ts";
import {
  factOf,
  type Look,
  look,
  printedAmount,
  printedDay,
  printedMinor,
  rowsOf,
  shown,
  visits,
} from "./page-text.ts";

const FORM = "/payments/new";
const REVIEW = /^\/payments\/[\w-]{20,64}\/review$/;
const NAME_CHECKS = ["matches", "close", "does not match", "not checked"];

/** What was chosen on the form, in the bank's own words, so that the review is known to be of that. */
export interface Chosen {
  readonly path: string;
  readonly fromRef: string;
  readonly from: string;
  readonly payeeRef: string;
  readonly payee: string;
}

type Review = LastPage<TransferOffer> & { readonly chosen: Chosen };

/** Fills in the form of a payment and goes on to the page where it is checked. The page stays open; nothing is sent. */
export function toReview(session: BrowserSession, wish: TransferWish, own: string): Promise<Attempt<Review>> {
  return visits.onPage(session, async () => {
    const page = await session.page(FORM);
    if (visits.isSignIn(page)) return { ok: false, reason: { kind: "sign_in" } };
    visits.expectHeading((await look(page)).heading, "Send money");
    const from = await choose(page, "From", wish.fromRef);
    if (from === undefined) return gap("the bank does not send money from this account");
    const payee = await choose(page, "To", wish.payeeRef);
    if (payee === undefined) return gap("the bank has no such payee saved");
    if ((await page.getByLabel(`Amount in ${wish.currency}`, { exact: true }).count()) !== 1)
      return gap("the bank sends in another currency");
    await page
      .getByLabel(`Amount in ${wish.currency}`, { exact: true })
      .fill(formatMoney({ minor: wish.amountMinor, currency: wish.currency }, "amount"));
    await page.getByLabel("Message to the payee", { exact: true }).fill(wish.text);
    await page.getByLabel("Your own reference", { exact: true }).fill(own);
    await page.getByLabel("On", { exact: true }).fill(wish.executeOn ?? "");
    const button = page.getByRole("button", { name: "Continue", exact: true });
    const gone = await visits.follow(page, () => button.click());
    if (!gone.ok) return gone;
    const path = pathOf(page);
    if (path === FORM) return gap(problemOf(await page.getByRole("alert").allTextContents()));
    if (!REVIEW.test(path)) throw new SiteTrouble("the bank did not show the payment to check");
    const chosen = { path, fromRef: wish.fromRef, from, payeeRef: wish.payeeRef, payee };
    const offer = offerOf(await look(page), chosen);
    if (offer.own !== own) throw new SiteTrouble("the bank did not keep the reference");
    const press = async () => {
      await page.getByRole("button", { name: "Send money", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Confirm and send", exact: true }).click();
    };
    return ok({ page, chosen, offer, press });
  });
}

/** The same review again, as the bank shows it now. */
export function againAtReview(session: BrowserSession, chosen: Chosen): Promise<Attempt<TransferOffer>> {
  return visits.visit(session, chosen.path, async (page) => {
    if (pathOf(page) !== chosen.path) throw new SiteTrouble("the payment was sent meanwhile");
    return ok(offerOf(await look(page), chosen));
  });
}

/** Chooses by the value that the bank gives an account or a payee; its text, or undefined when it is not offered. */
async function choose(page: Page, label: string, value: string): Promise<string | undefined> {
  const list = page.getByLabel(label, { exact: true });
  const option = list.locator("option").and(page.locator(`[value=${JSON.stringify(value)}]`));
  if ((await option.count()) !== 1) return undefined;
  await list.selectOption({ value });
  return ((await option.textContent()) ?? "").trim();
}

/** What the page says will be sent. @throws SiteTrouble when it is not exactly as it should be, or of something else. */
export function offerOf(seen: Look, chosen: Chosen): TransferOffer & { readonly own: string } {
  visits.expectHeading(seen.heading, "Check your payment");
  const rows = rowsOf(seen, "Your payment", []);
  const fact = (term: string) => factOf(rows, term);
  // Rows that are not known (a tax, an exchange) are not skipped: the page is then unreadable.
  if (rows.length !== 11) throw new SiteTrouble("the bank's payment has other rows");
  const name = shown(fact("To"), "payee");
  const number = shown(fact("Account of the payee"), "payee's account");
  if (fact("From") !== chosen.from || `${name}, ${number}` !== chosen.payee)
    throw new SiteTrouble("the bank shows a payment of somebody else");
  const nameCheck = fact("The name, says their bank");
  if (!NAME_CHECKS.includes(nameCheck)) throw new SiteTrouble("the bank says something unknown of the name");
  const [fromName = "", fromNumber = ""] = splitLast(chosen.from);
  const amount = printedAmount(fact("Amount"));
  const feeMinor = printedMinor(fact("Fee"), amount.currency);
  const totalMinor = printedMinor(fact("Total"), amount.currency);
  if (amount.minor + feeMinor !== totalMinor) throw new SiteTrouble("the bank's figures do not add up");
  return {
    from: { id: chosen.fromRef, name: fromName, ending: endingOf(fromNumber) },
    payee: { id: chosen.payeeRef, name, number, nameCheck },
    currency: amount.currency,
    amountMinor: amount.minor,
    feeMinor,
    totalMinor,
    text: fact("Message to the payee"),
    executeOn: printedDay(fact("Leaves on")),
    speed: shown(fact("Arrives"), "speed"),
    own: fact("Your own reference"),
  };
}

function splitLast(text: string): readonly [string, string] {
  const at = text.lastIndexOf(", ");
  if (at < 1) throw new SiteTrouble("the bank shows an account that cannot be read");
  return [text.slice(0, at), text.slice(at + 2)];
}

/** In our words: the bank's may hold a name. */
function problemOf(alerts: readonly string[]): string {
  switch (alerts[0]?.trim()) {
    case "There is not enough on this account.":
      return "there is not enough on the account";
    case "Payees in other currencies cannot be paid online.":
      return "the bank would have to convert for this payee";
    case "A payment cannot be made on this day.":
      return "the bank does not send on this day";
    default:
      return "the bank does not take this transfer";
  }
}

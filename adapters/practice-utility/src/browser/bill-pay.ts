import { type Attempt, gap, type OwnActs, ok, SiteTrouble } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { Page } from "@countersign/route-browser";
import { billPay as byApi } from "../api/commits.ts";
import { PAYMENT_NUMBER, type PaymentOffer, paymentConfirmation, paymentTerms, termsOf } from "../shared/terms.ts";
import { CURRENCY, type DraftBody, paymentBody } from "../shared/wish.ts";
import type { FormView } from "./check-view.ts";
import { factOf, type ListView, type Look, printedDay, printedMinor, type Row, shown } from "./view.ts";
import { viewCommit } from "./view-commit.ts";

const LIST: ListView = {
  path: "/payments",
  heading: "Payments",
  caption: "Your payments",
  columns: ["Payment", "Bill", "State", "Paid on", "Paid with", "Your reference", "Amount", "Fee", "Total"],
  older: "Show older payments",
  none: "You have paid nothing here yet.",
};
/** One that the person's bank took back later has taken place all the same. */
const STATES: Readonly<Record<string, "paid" | "scheduled">> = {
  Paid: "paid",
  Scheduled: "scheduled",
  "Taken back by your bank": "paid",
};
const TERMS = 10;

/** What the last screen says will be paid. @throws SiteTrouble when it is not exactly that, or of another bill. */
export function offerOf(seen: Look, body: DraftBody): PaymentOffer {
  const fact = (term: string) => factOf(seen, term);
  // Terms that are not known (a tax, a discount) are not skipped: the screen is then unreadable.
  if (seen.facts.length !== TERMS) throw new SiteTrouble("the provider's last screen says other things");
  const billRef = body["bill"] ?? "";
  const billNumber = fact("Bill number");
  if (billNumber !== `NL-${billRef}`) throw new SiteTrouble("the provider shows another bill");
  const [amountMinor, feeMinor, totalMinor] = [fact("Amount"), fact("Fee"), fact("Total")].map(printedMinor);
  if (
    amountMinor === undefined ||
    feeMinor === undefined ||
    totalMinor === undefined ||
    amountMinor < 1 ||
    feeMinor < 0
  )
    throw new SiteTrouble("the provider's figures cannot be read");
  if (amountMinor + feeMinor !== totalMinor) throw new SiteTrouble("the provider's figures do not add up");
  return {
    billRef,
    billNumber,
    billTitle: shown(fact("Bill"), "bill"),
    dueOn: printedDay(fact("Due on")),
    currency: CURRENCY,
    openMinor: printedMinor(fact("Still to pay")),
    amountMinor,
    feeMinor,
    totalMinor,
    instrument: shown(fact("Pay with"), "way to pay"),
    payOn: printedDay(fact("Paid on")),
  };
}

/** Chooses by the provider's own id; a gap when it is not offered. */
export async function chooseMethod(page: Page, label: string, method: string | undefined): Promise<Attempt<void>> {
  if (method === undefined) return ok(undefined);
  const list = page.getByLabel(label, { exact: true });
  const option = list.locator("option").and(page.locator(`[value=${JSON.stringify(method)}]`));
  if ((await option.count()) !== 1) return gap("the provider does not take this way to pay");
  await list.selectOption({ value: method });
  return ok(undefined);
}

const VIEW: FormView<PaymentOffer> = {
  path: (body) => `/bills/${encodeURIComponent(body["bill"] ?? "")}/pay`,
  heading: "Pay a bill",
  checkHeading: "Check and pay",
  offerOf,
  async fill(page, body) {
    await page.getByLabel("Pay on", { exact: true }).fill(body["on"] ?? "");
    return chooseMethod(page, "Pay with", body["method"]);
  },
};

interface ShownPayment {
  readonly number: string;
  readonly billNumber: string;
  readonly status: "paid" | "scheduled";
  readonly payOn: string;
  readonly instrument: string;
  readonly amountMinor: number;
  readonly totalMinor: number;
}

function paymentOf({ cells }: Row): ShownPayment {
  const [number = "", billNumber = "", state = "", payOn = "", instrument = "", , amount = "", , total = ""] = cells;
  const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  if (!PAYMENT_NUMBER.test(number) || status === undefined)
    throw new SiteTrouble("the provider shows a payment that cannot be read");
  const figures = { amountMinor: printedMinor(amount), totalMinor: printedMinor(total) };
  return { number, billNumber, status, payOn: printedDay(payOn), instrument, ...figures };
}

function isWanted(row: Row, record: ActionRecord): boolean {
  const payment = paymentOf(row);
  const terms = termsOf(record);
  return (
    payment.billNumber === terms["bill_number"] &&
    payment.amountMinor === terms["amount_minor"] &&
    payment.instrument === terms["instrument"] &&
    payment.payOn === terms["pay_on"]
  );
}

/** How a payment of the provider's list is told to be a submission's. */
export const ownPayments: OwnActs<Row> = {
  reference: ({ cells }) => cells[5] ?? "",
  isWanted,
  isAlike: isWanted,
  confirmation: (row) => paymentConfirmation({ ...paymentOf(row), currency: CURRENCY }),
};

/** Pays a bill through the provider's views. */
export const billPay = viewCommit<PaymentOffer>({
  operation: "utilities.bill.pay",
  path: "/data/payments",
  body: paymentBody,
  view: VIEW,
  press: /^Pay €[0-9,]+\.[0-9]{2}$/,
  terms: paymentTerms,
  recognise: (answer, record) => byApi.recognise(answer, record),
  list: LIST,
  ...ownPayments,
});

import type { Answer, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  type JsonObject,
  matchOwn,
  type OwnActs,
  ok,
  parseInstant,
  SiteTrouble,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pageCommit, pathOf, redirectPath } from "@countersign/route-browser";
import {
  confirmationOf,
  type SentTransfer,
  TRANSFER_NUMBER,
  type TransferOffer,
  transferTerms,
  transferWish,
} from "../shared/transfer.ts";
import { type Look, look, printedAmount, printedDay, rowsOf, visits } from "./page-text.ts";
import { againAtReview, type Chosen, toReview } from "./review.ts";

const COLUMNS = ["Reference", "State", "Leaves on", "To", "Your own reference", "Total"];
const STATES: Readonly<Record<string, "executed" | "scheduled">> = { Sent: "executed", Scheduled: "scheduled" };

/** Sends money through the bank's pages: the page to check is the last screen; what commits is in a window over it. */
export const transferSubmit = pageCommit<TransferOffer, Chosen>(
  {
    operation: "banking.transfer.submit",
    commits: [{ method: "POST", path: "/payments/*/confirm" }],
    looking: "Going to the bank's last page",
    toLast: (_ctx, session, { params }, reference) => toReview(session, transferWish(params), reference),
    again: (_ctx, session, chosen) => againAtReview(session, chosen),
    draftOf: ({ path }) => path,
    terms: transferTerms,

    /**
     * The bank answers a sent payment with its number alone. The result's total is therefore the approved one, and nothing
     * is said to have been observed: only a read-back could.
     */
    recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
      const number =
        /^\/payments\/([^/]+)\/sent$/.exec(redirectPath(answer, 303, record.route.origin) ?? "")?.[1] ?? "";
      if (TRANSFER_NUMBER.test(number)) return { kind: "confirmed", ...approved(number, record) };
      if (isPageWith(answer, 422, "Your payment was not sent"))
        return { kind: "refused", why: "the bank did not send the payment" };
      if (isPageWith(answer, 410, "This payment has lapsed"))
        return { kind: "refused", why: "the bank's page had lapsed" };
      return { kind: "unknown" };
    },

    async readBack(session, print, record) {
      const sent = await visits.visit(session, "/payments", async (page) => ok(paymentsOf(await look(page))));
      if (!sent.ok) return { kind: "sign_in" };
      const found = matchOwn(sent.value, print, record, ownPayments);
      if (found.kind !== "none") return found;
      if (print.draft === undefined) return { kind: "absent" };
      // A list without the payment is only half of it: one that was sent leads on from its page to check (STA-4).
      const waits = await stillToConfirm(session, print.draft);
      if (!waits.ok) return { kind: "sign_in" };
      return waits.value ? { kind: "absent" } : { kind: "unclear", why: "no such payment, and its page is gone" };
    },
  },
  visits,
);

function approved(number: string, record: ActionRecord) {
  const { currency, total_minor: totalMinor, execute_on: executeOn } = record.terms as JsonObject;
  const result = { transfer_ref: number, currency: String(currency), total_minor: Number(totalMinor) };
  return { confirmation: number, result: { ...result, status: "accepted", execute_on: String(executeOn) } };
}

export interface ShownPayment extends SentTransfer {
  readonly ownReference: string;
}

/** The bank's list of payments, newest first. @throws SiteTrouble when it is not exactly as it should be. */
export function paymentsOf(seen: Look): readonly ShownPayment[] {
  visits.expectHeading(seen.heading, "Your payments");
  return rowsOf(seen, "Sent and scheduled", COLUMNS).map(({ cells }) => {
    const [number = "", state = "", leavesOn = "", , own = "", total = ""] = cells;
    const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
    if (!TRANSFER_NUMBER.test(number) || status === undefined)
      throw new SiteTrouble("the bank shows a payment that cannot be read");
    const { minor, currency } = printedAmount(total);
    return { number, status, currency, totalMinor: minor, executeOn: printedDay(leavesOn), ownReference: own };
  });
}

/** How a payment of the bank's list is told to be a submission's: it shows what left, and not to which saved payee. */
export const ownPayments: OwnActs<ShownPayment> = {
  reference: (payment) => payment.ownReference,
  isWanted: () => true,
  isAlike(payment, record) {
    const created = parseInstant(record.created_at);
    const { total_minor: total, currency } = record.terms as JsonObject;
    const since = created.ok ? new Date(created.value).toISOString().slice(0, 10) : "";
    return payment.totalMinor === total && payment.currency === currency && payment.executeOn >= since;
  },
  confirmation: confirmationOf,
};

/** Whether the page to check still waits; a lapsed one can become no payment any more, so that counts too. */
function stillToConfirm(session: BrowserSession, draft: string): Promise<Attempt<boolean>> {
  return visits.visit(session, draft, async (page) => {
    if (pathOf(page) !== draft) return ok(false);
    const { heading } = await look(page);
    return ok(heading === "Check your payment" || heading === "This payment has lapsed");
  });
}

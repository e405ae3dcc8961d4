import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  fingerprintOf,
  type JsonObject,
  matchOwn,
  type OwnActs,
  ok,
  ownReference,
  parseInstant,
  readFingerprint,
  SiteTrouble,
  traceOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pathOf, redirectPath } from "@countersign/route-browser";
import { HOLD_MS } from "../shared/limits.ts";
import { confirmationOf, type SentTransfer, TRANSFER_NUMBER, transferTerms, transferWish } from "../shared/transfer.ts";
import { type Look, look, printedAmount, printedDay, rowsOf, visits } from "./page-text.ts";
import { againAtReview, type Chosen, toReview } from "./review.ts";

const COMMIT = { method: "POST", path: "/payments/*/confirm" } as const;
const STATE = { v: 1 };
const COLUMNS = ["Reference", "State", "Leaves on", "To", "Your own reference", "Total"];
const STATES: Readonly<Record<string, "executed" | "scheduled">> = { Sent: "executed", Scheduled: "scheduled" };

/** The review that a session's held request confirms, for the observation that follows. */
const heldReviews = new WeakMap<BrowserSession, Chosen>();

/** Sends money through the bank's pages: the page to check is the last screen; what commits is in a window over it. */
export const transferSubmit: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "banking.transfer.submit",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    ctx.progress("review", "Going to the bank's last page");
    const review = await toReview(session, transferWish(params), "");
    if (!review.ok) return review.reason;
    await review.value.page.close().catch(() => {});
    return { kind: "ready", state: STATE, ...transferTerms(session.origin, review.value.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    const review = await toReview(session, transferWish(record.parameters as JsonObject), ownReference(record));
    if (!review.ok) return review.reason;
    const { page, chosen } = review.value;
    heldReviews.set(session, chosen);
    const exchange = await visits.onPage(session, async () => {
      await page.getByRole("button", { name: "Send money", exact: true }).click();
      const confirm = page.getByRole("dialog").getByRole("button", { name: "Confirm and send", exact: true });
      return session.hold(() => confirm.click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, chosen.path) } };
  },

  async observe(_ctx, session, record) {
    const held = heldReviews.get(session);
    if (held !== undefined) {
      const offer = await againAtReview(session, held);
      return offer.ok ? { kind: "done", value: transferTerms(session.origin, offer.value) } : offer.reason;
    }
    const review = await toReview(session, transferWish(record.parameters as JsonObject), "");
    if (!review.ok) return review.reason;
    await review.value.page.close().catch(() => {});
    return { kind: "done", value: transferTerms(session.origin, review.value.offer) };
  },

  /**
   * The bank answers a sent payment with its number alone. The result's total is therefore the approved one, and nothing
   * is said to have been observed: only a read-back could.
   */
  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const number = /^\/payments\/([^/]+)\/sent$/.exec(redirectPath(answer, 303, record.route.origin) ?? "")?.[1] ?? "";
    if (TRANSFER_NUMBER.test(number)) return { kind: "confirmed", ...approved(number, record) };
    if (isPageWith(answer, 422, "Your payment was not sent"))
      return { kind: "refused", why: "the bank did not send the payment" };
    if (isPageWith(answer, 410, "This payment has lapsed"))
      return { kind: "refused", why: "the bank's page had lapsed" };
    return { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const sent = await visits.visit(session, "/payments", async (page) => ok(paymentsOf(await look(page))));
    if (!sent.ok) return { kind: "sign_in" };
    const found = matchOwn(sent.value, print.value, submission.record, ownPayments);
    if (found.kind !== "none") return found;
    if (print.value.draft === undefined) return { kind: "absent" };
    // A list without the payment is only half of it: one that was sent leads on from its page to check (STA-4).
    const waits = await stillToConfirm(session, print.value.draft);
    if (!waits.ok) return { kind: "sign_in" };
    return waits.value ? { kind: "absent" } : { kind: "unclear", why: "no such payment, and its page is gone" };
  },
};

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

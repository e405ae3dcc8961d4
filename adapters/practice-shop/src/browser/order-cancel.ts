import type { Answer, CommitAdapter, Recognised } from "@countersign/plugin";
import { wantsSignIn } from "@countersign/plugin/site";
import { type BrowserSession, isPageWith } from "@countersign/route-browser";
import type { JsonObject } from "@countersign/wire";
import { HOLD_MS } from "../shared/limits.ts";
import {
  cancelledOutcome,
  cancelPrint,
  ORDER_SENT,
  orderCancelTerms,
  orderNumber,
  readCancelPrint,
  STATE_VERSION,
} from "../shared/order-cancel.ts";
import { cancelPath, onCancelPage, readStanding } from "./order-cancel-page.ts";
import { isSignIn, onPage, visit } from "./visit.ts";

const COMMIT = { method: "POST", path: "/orders/cancel" } as const;

/**
 * Calls an order off through the shop's pages. The last page has the number of the request that it sends, which stands
 * with the order afterwards: a read-back tells by it whose cancellation it was.
 */
export const orderCancel: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "retail.order.cancel",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    ctx.progress("preview", "Looking at what a cancellation brings");
    const number = orderNumber(params);
    const shown = await visit(session, cancelPath(number), (page) => onCancelPage(page, number));
    if (!shown.ok) return shown.reason;
    return { kind: "ready", state: { v: STATE_VERSION }, terms: orderCancelTerms(session.origin, shown.value) };
  },

  async hold(_ctx, session, record, state) {
    if (state["v"] !== STATE_VERSION) return { kind: "gap", why: "the task was prepared by another version" };
    const number = orderNumber(record.parameters as JsonObject);
    const page = await session.page(cancelPath(number));
    const shown = await onPage(session, async () => (isSignIn(page) ? wantsSignIn() : onCancelPage(page, number)));
    if (!shown.ok) return shown.reason;
    const button = page.getByRole("button", { name: "Cancel this order", exact: true });
    const click = () => session.hold(() => button.click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    const exchange = await onPage(session, click);
    return { kind: "done", value: { exchange, fingerprint: cancelPrint(record, shown.value.request) } };
  },

  async observe(_ctx, session, record) {
    const number = orderNumber(record.parameters as JsonObject);
    const shown = await visit(session, cancelPath(number), (page) => onCancelPage(page, number));
    if (!shown.ok) return shown.reason;
    return { kind: "done", value: { terms: orderCancelTerms(session.origin, shown.value) } };
  },

  /** The shop leads back to the order, without its number for the cancellation: the read-back has that. */
  recognise(answer: Answer): Recognised<JsonObject> {
    if (isPageWith(answer, 422, "Your order was not cancelled"))
      return { kind: "refused", why: "the order is being packed and cannot be cancelled" };
    if (isPageWith(answer, 409, "This order is on its way")) return { kind: "refused", why: ORDER_SENT };
    return { kind: "unknown" };
  },

  trace: (record) => cancelPrint(record),

  async readBack(_ctx, session, submission) {
    const print = readCancelPrint(submission.fingerprint);
    if (print === undefined) return { kind: "unclear", why: "the fingerprint is of another version" };
    const standing = await readStanding(session, print.number);
    if (!standing.ok)
      // An order that is missing proves nothing.
      return standing.reason.kind === "sign_in" ? standing.reason : { kind: "unclear", why: standing.reason.why };
    if (standing.value === "stands") return { kind: "absent" };
    // Where only the record has survived, nobody can say whose cancellation it is.
    if (print.requested === undefined)
      return { kind: "unclear", why: "the order was cancelled, and not known by whom" };
    if (standing.value.requested !== print.requested) return { kind: "absent" };
    return { kind: "found", ...cancelledOutcome(standing.value) };
  },
};

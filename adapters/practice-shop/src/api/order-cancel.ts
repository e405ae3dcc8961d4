import type { Answer, CommitAdapter, Recognised } from "@countersign/plugin";
import { type Attempt, answerJson, gap, wantsSignIn } from "@countersign/plugin/site";
import { bodyOf, destinationKey, type HttpSession } from "@countersign/route-http";
import type { JsonObject } from "@countersign/wire";
import {
  cancelledOutcome,
  cancelPrint,
  NO_SUCH_ORDER,
  ORDER_CANCELLED,
  ORDER_SENT,
  type OrderCancelPreview,
  orderCancelTerms,
  orderNumber,
  readCancelPrint,
  STATE_VERSION,
} from "../shared/order-cancel.ts";
import { ORDERS } from "./orders.ts";
import { errorCode, orderCancelPreviewShape, orderStandingShape } from "./shapes.ts";

const CANCELLATIONS = "/api/v1/order-cancellations";

/**
 * Calls an order off through the shop's API. The request is named by a reference derived from the task, which the shop
 * keeps with the order: a read-back tells by it whose cancellation it was.
 */
export const orderCancel: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "retail.order.cancel",
  commits: [{ method: "POST", path: CANCELLATIONS }],

  async prepare(ctx, session, params) {
    ctx.progress("preview", "Asking the shop what a cancellation brings");
    const preview = await askPreview(session, orderNumber(params));
    if (!preview.ok) return preview.reason;
    return { kind: "ready", state: { v: STATE_VERSION }, terms: orderCancelTerms(session.origin, preview.value) };
  },

  async hold(_ctx, session, record, state) {
    if (state["v"] !== STATE_VERSION) return { kind: "gap", why: "the task was prepared by another version" };
    const number = orderNumber(record.parameters as JsonObject);
    // An order that is cancelled already is not cancelled again: the answer could not be told from another's.
    const preview = await askPreview(session, number);
    if (!preview.ok) return preview.reason;
    const key = await destinationKey(record);
    const exchange = await session.hold(CANCELLATIONS, {
      method: "POST",
      body: { number, client_reference: key },
      headers: { "idempotency-key": key },
    });
    return { kind: "done", value: { exchange, fingerprint: cancelPrint(record, key) } };
  },

  async observe(_ctx, session, record) {
    const preview = await askPreview(session, orderNumber(record.parameters as JsonObject));
    if (!preview.ok) return preview.reason;
    return { kind: "done", value: { terms: orderCancelTerms(session.origin, preview.value) } };
  },

  recognise(answer: Answer, record): Recognised<JsonObject> {
    const json = answerJson(answer);
    const order = answer.status === 201 ? orderStandingShape.safeParse(json) : undefined;
    const wanted = orderNumber(record.parameters as JsonObject);
    if (order?.success && order.data.number === wanted && order.data.cancelled !== undefined)
      return { kind: "confirmed", ...cancelledOutcome(order.data.cancelled) };
    const code = json === undefined ? undefined : errorCode({ json });
    if (answer.status === 422 && code === "being_packed")
      return { kind: "refused", why: "the order is being packed and cannot be cancelled" };
    if (answer.status === 409 && code === "already_sent") return { kind: "refused", why: ORDER_SENT };
    // 409 order_already_cancelled may be the echo of this very request: read back, by its reference.
    return { kind: "unknown" };
  },

  trace: (record) => cancelPrint(record),

  async readBack(_ctx, session, submission) {
    const print = readCancelPrint(submission.fingerprint);
    if (print === undefined) return { kind: "unclear", why: "the fingerprint is of another version" };
    const answer = await session.fetch(`${ORDERS}/${encodeURIComponent(print.number)}`);
    // An order that is missing proves nothing.
    if (answer.kind === "answer" && answer.status === 404) return { kind: "unclear", why: "the order is not listed" };
    const order = bodyOf(answer, 200, orderStandingShape);
    if (!order.ok) return { kind: "sign_in" };
    const { cancelled } = order.value;
    if (cancelled === undefined) return { kind: "absent" };
    // Somebody else's cancellation: then ours can change nothing any more.
    if (cancelled.requested !== (await destinationKey(submission.record))) return { kind: "absent" };
    return { kind: "found", ...cancelledOutcome(cancelled) };
  },
};

async function askPreview(session: HttpSession, number: string): Promise<Attempt<OrderCancelPreview>> {
  const answer = await session.fetch(`${ORDERS}/${encodeURIComponent(number)}/cancellation`);
  if (answer.kind === "signed_out") return wantsSignIn();
  const code = errorCode(answer);
  if (answer.status === 404 && code === "not_found") return gap(NO_SUCH_ORDER);
  if (answer.status === 409 && code === "already_sent") return gap(ORDER_SENT);
  if (answer.status === 409 && code === "order_already_cancelled") return gap(ORDER_CANCELLED);
  return bodyOf(answer, 200, orderCancelPreviewShape);
}

import {
  type ActionRecord,
  type Answer,
  answerJson,
  type CommitAdapter,
  isJsonObject,
  type JsonObject,
  type Recognised,
  SiteTrouble,
} from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { change } from "./ask.ts";
import { type Filled, fill, PAYING, readCart, takeOut } from "./cart.ts";
import { HARMLESS, PAY, SHOP_API, TO_PAYMENT } from "./documents.ts";
import { confirmationOf, fingerprintOf, readBack, traceOf } from "./read-back.ts";
import { orderShape } from "./shapes.ts";
import { purchaseTermsOf } from "./terms.ts";
import { addressIdOf, isWanted, markOf, orderWish } from "./wish.ts";

const VERSION = 1;
/** An order that is placed. Everything before is a cart, and what a shop's own states mean nobody knows. */
const PLACED: readonly string[] = ["PaymentAuthorized", "PaymentSettled"];

/** What ends a submission for certain: the shop says in its own words that nothing was ordered. */
const REFUSALS: Readonly<Record<string, string>> = {
  PAYMENT_DECLINED_ERROR: "the payment was declined",
  PAYMENT_FAILED_ERROR: "the payment failed",
  INELIGIBLE_PAYMENT_METHOD_ERROR: "the way to pay cannot be used for this order",
};

/** The cart that a session's held request pays for, for the observation that follows. */
const heldCarts = new WeakMap<HttpSession, Filled>();

/** Orders one item: the cart ready to be paid is the last screen, `addPaymentToOrder` the commitment. */
export const orderSubmit: CommitAdapter<JsonObject, unknown, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "retail.order.submit",
  commits: [{ method: "POST", path: SHOP_API, exceptDocuments: HARMLESS }],

  async prepare(ctx, session, params) {
    const wish = orderWish(params);
    const address = await addressIdOf(ctx, wish);
    if (!address.ok) return address.reason;
    ctx.progress("cart", "Asking the shop what the order would cost");
    const filled = await fill(ctx, session, wish, address.value);
    if (!filled.ok) return filled.reason;
    const { order } = filled.value;
    // The decision may take a while: until then the cart is the person's, as it was.
    await takeOut(ctx, session, wish, order.code);
    const state = { v: VERSION, address: address.value, cart: order.code };
    return { kind: "ready", state, ...purchaseTermsOf(session.origin, filled.value, wish.fulfillmentRef) };
  },

  async hold(ctx, session, record, state) {
    const { v, address, cart } = state;
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (v !== VERSION || typeof address !== "string" || typeof cart !== "string")
      return { kind: "gap", why: "the task was prepared by another version" };
    const wish = orderWish(record.parameters as JsonObject);
    const filled = await fill(ctx, session, wish, address, cart);
    if (!filled.ok) return filled.reason;
    const { order, pay } = filled.value;
    const putBack = () => takeOut(ctx, session, wish, order.code);
    try {
      // From here on nobody changes this cart, and its prices stand, without taking it back first.
      const code = await change(session, TO_PAYMENT, "transitionOrderToState");
      if (code !== undefined) throw new SiteTrouble(`the shop does not let the cart be paid: ${code}`);
      heldCarts.set(session, filled.value);
      const input = { method: pay.code, metadata: { public: { reference: markOf(record) } } };
      const exchange = await session.hold(
        SHOP_API,
        { method: "POST", body: { query: PAY, variables: { input } } },
        putBack,
      );
      return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, order.code) } };
    } catch (cause) {
      await putBack();
      throw cause;
    }
  },

  async observe(ctx, session, record, state) {
    const wish = orderWish(record.parameters as JsonObject);
    const held = heldCarts.get(session);
    if (held === undefined) {
      const filled = await fill(ctx, session, wish, String(state["address"]));
      if (!filled.ok) return filled.reason;
      await takeOut(ctx, session, wish, filled.value.order.code);
      return { kind: "done", value: purchaseTermsOf(session.origin, filled.value, wish.fulfillmentRef) };
    }
    const cart = await readCart(session);
    if (!cart.ok) return cart.reason;
    const order = cart.value.activeOrder;
    if (order?.code !== held.order.code || order.state !== PAYING)
      throw new SiteTrouble("the cart was changed while it was to be ordered");
    return { kind: "done", value: purchaseTermsOf(session.origin, { order, pay: held.pay }, wish.fulfillmentRef) };
  },

  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const json = answer.status === 200 ? answerJson(answer) : undefined;
    if (json === undefined || !isJsonObject(json) || json["errors"] !== undefined) return { kind: "unknown" };
    const { data } = json;
    const paid = data !== undefined && isJsonObject(data) ? data["addPaymentToOrder"] : undefined;
    if (paid === undefined || !isJsonObject(paid)) return { kind: "unknown" };
    const { __typename: type, errorCode: code } = paid;
    if (type !== "Order") {
      const why = typeof code === "string" && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
      return why === undefined ? { kind: "unknown" } : { kind: "refused", why };
    }
    const order = orderShape.safeParse(paid);
    const wish = orderWish(record.parameters as JsonObject);
    // One that is only paid for in part, or of something else, confirms nothing: the shop is read back.
    if (!order.success || order.data.active || !PLACED.includes(order.data.state) || !isWanted(order.data, wish))
      return { kind: "unknown" };
    const bytes = { kind: "order_confirmation", mediaType: "application/json", bytes: answer.body };
    return { kind: "confirmed", ...confirmationOf(order.data), records: [{ ...bytes, signatureChecked: false }] };
  },

  trace: (record) => traceOf(record),

  readBack: (_ctx, session, { record, fingerprint }) => readBack(session, record, fingerprint),
};

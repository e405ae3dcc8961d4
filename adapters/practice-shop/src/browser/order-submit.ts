import { type Answer, type CommitAdapter, type Recognised, SiteTrouble } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pathOf, redirectPath } from "@countersign/route-browser";
import { type JsonObject, ok } from "@countersign/wire";
import { choiceOf, choiceState, DELIVERY_ID, readChoice } from "../shared/choice.ts";
import { findOrder, fingerprintOf, readFingerprint } from "../shared/fingerprint.ts";
import { HOLD_MS } from "../shared/limits.ts";
import { purchaseTermsOf } from "../shared/terms.ts";
import { addressOf, orderWish } from "../shared/wish.ts";
import { holdsOnly, readCart } from "./cart.ts";
import { lookAtCheckout, readCheckout } from "./checkout-page.ts";
import { CHECKOUT, toLastScreen } from "./last-screen.ts";
import { readOrders } from "./orders-page.ts";
import { bankPage, confirmedBy, demandState, VERIFICATION } from "./verification.ts";
import { onPage, visit } from "./visit.ts";

const COMMIT = { method: "POST", path: CHECKOUT } as const;

/** Places an order through the shop's pages: the checkout is the last screen, its form the commitment. */
export const orderSubmit: CommitAdapter<JsonObject, unknown, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "retail.order.submit",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    const wish = orderWish(params);
    const address = await addressOf(ctx, wish);
    if (!address.ok) return address.reason;
    ctx.progress("checkout", "Going to the shop's checkout");
    const screen = await toLastScreen(session, wish, { delivery: DELIVERY_ID, address: address.value });
    if (!screen.ok) return screen.reason;
    const { checkout } = screen.value;
    const observed = purchaseTermsOf(session.origin, checkout, wish.fulfillmentRef);
    return { kind: "ready", state: choiceState(choiceOf(checkout)), ...observed };
  },

  async hold(_ctx, session, record, state) {
    const choice = readChoice(state);
    if (!choice.ok) return choice.reason;
    const orders = await readOrders(session);
    if (!orders.ok) return orders.reason;
    const { delivery, address, instrument } = choice.value;
    const wanted = { delivery, address, instrument };
    const screen = await toLastScreen(session, orderWish(record.parameters as JsonObject), wanted);
    if (!screen.ok) return screen.reason;
    const button = screen.value.page.getByRole("button", { name: "Place order", exact: true });
    const click = () => session.hold(() => button.click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    const exchange = await onPage(session, click);
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, orders.value) } };
  },

  async observe(_ctx, session, record) {
    const checkout = await visit(session, CHECKOUT, async (page) => {
      if (pathOf(page) !== CHECKOUT) throw new SiteTrouble("the shop's cart was emptied meanwhile");
      return ok(readCheckout(await lookAtCheckout(page)));
    });
    if (!checkout.ok) return checkout.reason;
    const { fulfillmentRef } = orderWish(record.parameters as JsonObject);
    return { kind: "done", value: purchaseTermsOf(session.origin, checkout.value, fulfillmentRef) };
  },

  /**
   * The shop answers a placed order with its number alone. The result's total is therefore the approved one, and nothing
   * is said to have been observed: only a read-back of the history could.
   */
  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const path = redirectPath(answer, 303, record.route.origin) ?? "";
    if (VERIFICATION.test(path)) return { kind: "verify", state: demandState(path) };
    const placed = confirmedBy(path, record);
    if (placed !== undefined) return placed;
    // 409 "Your cart is empty" is what a second sending of a placed order gets: no refusal of this one.
    if (isPageWith(answer, 422, "Your order was not placed"))
      return { kind: "refused", why: "the shop did not place the order" };
    return { kind: "unknown" };
  },

  verification: bankPage,

  trace: (record) => fingerprintOf(record, []),

  async readBack(_ctx, session, submission) {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const orders = await readOrders(session);
    if (!orders.ok) return { kind: "sign_in" };
    const match = findOrder(orders.value, print.value, submission.submittedAt);
    if (match.kind !== "none") return match;
    // A placed order empties the cart: only a cart that still holds the line shows that it was not placed (STA-4).
    const cart = await readCart(session);
    if (!cart.ok) return { kind: "sign_in" };
    return holdsOnly(cart.value, print.value)
      ? { kind: "absent" }
      : { kind: "unclear", why: "no such order, and the cart does not hold the item" };
  },
};

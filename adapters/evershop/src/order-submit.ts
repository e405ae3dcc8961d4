import { type CommitAdapter, SiteTrouble } from "@countersign/plugin";
import { type BrowserSession, pathOf } from "@countersign/route-browser";
import { type JsonObject, ok } from "@countersign/wire";
import { recogniseOrder } from "./answer.ts";
import { holdsOnly, readCart } from "./cart-page.ts";
import { CHECKOUT, choosePayment, placeOrder, readLoaded } from "./checkout-page.ts";
import { findOrder, fingerprintOf, knownAtPrepare, newRows, readFingerprint, traceOf } from "./fingerprint.ts";
import { readHistory, readOrder, type ShopOrder } from "./history.ts";
import { isOf, toLastScreen } from "./last-screen.ts";
import { HOLD_MS, NEW_ORDERS_MAX } from "./limits.ts";
import { productState, purchaseTermsOf, readProductState } from "./terms.ts";
import { onPage, signedIn, visit } from "./visit.ts";
import { addressOf, orderWish } from "./wish.ts";

const COMMIT = { method: "POST", path: "/api/carts/*/checkout" } as const;

/** Places an order through the shop's pages: the filled checkout is the last screen, its request the commitment. */
export const orderSubmit: CommitAdapter<JsonObject, unknown, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "retail.order.submit",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    const wish = orderWish(params);
    const address = await addressOf(ctx, wish);
    if (!address.ok) return address.reason;
    const history = await readHistory(session);
    if (!history.ok) return history.reason;
    ctx.progress("checkout", "Going to the shop's checkout");
    const screen = await toLastScreen(session, wish, address.value);
    if (!screen.ok) return screen.reason;
    const { page, checkout, product } = screen.value;
    await page.close().catch(() => {});
    return {
      kind: "ready",
      state: { ...productState(product), ...knownAtPrepare(history.value) },
      ...purchaseTermsOf(session.origin, checkout, wish),
    };
  },

  async hold(ctx, session, record, state) {
    const known = readProductState(state);
    if (!known.ok) return known.reason;
    const wish = orderWish(record.parameters as JsonObject);
    const address = await addressOf(ctx, wish);
    if (!address.ok) return address.reason;
    const history = await readHistory(session);
    if (!history.ok) return history.reason;
    const screen = await toLastScreen(session, wish, address.value, known.value);
    if (!screen.ok) return screen.reason;
    const { page, product } = screen.value;
    const chosen = await onPage(session, () => choosePayment(page));
    if (!chosen.ok) return chosen.reason;
    const exchange = await session.hold(() => placeOrder(page).click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    const fingerprint = await fingerprintOf(record, history.value, product, exchange.request.url);
    return { kind: "done", value: { exchange, fingerprint } };
  },

  /** The checkout loaded anew has the prices of now; what it does not show, the SKU, the cart does. */
  async observe(ctx, session, record, state) {
    const known = readProductState(state);
    if (!known.ok) return known.reason;
    const wish = orderWish(record.parameters as JsonObject);
    const address = await addressOf(ctx, wish);
    if (!address.ok) return address.reason;
    const person = await signedIn(session);
    if (!person.ok) return person.reason;
    const cart = await readCart(session);
    if (!cart.ok) return cart.reason;
    const checkout = await visit(session, CHECKOUT, async (page) => {
      if (pathOf(page) !== CHECKOUT) throw new SiteTrouble("the shop's cart was emptied meanwhile");
      return ok(await readLoaded(page, address.value));
    });
    if (!checkout.ok) return checkout.reason;
    if (!holdsOnly(cart.value, wish, known.value) || !isOf(checkout.value, wish, known.value))
      throw new SiteTrouble("the shop's cart was changed meanwhile");
    return { kind: "done", value: purchaseTermsOf(session.origin, checkout.value, wish) };
  },

  recognise: recogniseOrder,

  trace: traceOf,

  async readBack(_ctx, session, submission) {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const history = await readHistory(session);
    if (!history.ok) return { kind: "sign_in" };
    const rows = newRows(history.value, print.value);
    if (rows.length > NEW_ORDERS_MAX) return { kind: "unclear", why: "too many new orders to tell apart" };
    const orders: ShopOrder[] = [];
    for (const row of rows) {
      const order = await readOrder(session, row);
      if (!order.ok) return { kind: "sign_in" };
      orders.push(order.value);
    }
    const match = findOrder(orders, print.value);
    if (match.kind !== "none") return match;
    // A placed order uses its cart up: only a cart that still holds the line shows that it was not placed (STA-4).
    const cart = await readCart(session);
    if (!cart.ok) return { kind: "sign_in" };
    const wish = orderWish(submission.record.parameters as JsonObject);
    return holdsOnly(cart.value, wish, print.value.product)
      ? { kind: "absent" }
      : { kind: "unclear", why: "no such order, and the cart does not hold the item" };
  },
};

import { type Attempt, type Ctx, gap, ok, SiteTrouble, wantsSignIn } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { addressInput } from "./address.ts";
import { ask, change } from "./ask.ts";
import { ADD, ADDRESS, CART, LEAVE, SHIP_BY, SHIPPING, TAKE_OUT, TO_CART } from "./documents.ts";
import { findItem } from "./item-get.ts";
import { type Cart, cartShape, type Order, shippingShape } from "./shapes.ts";
import { isOf, isWanted, type OrderWish } from "./wish.ts";

// A customer has one cart, the same on all their devices, and the shop says what an order costs only of a cart. So the
// cart is filled to look, and emptied again at once. One in which something lies is the person's and is left alone.

export const PAYING = "ArrangingPayment";
const IN_USE = "something lies in the cart already; it has to be ordered or taken out first";

/** A cart filled as wished, and how it would be paid. */
export interface Filled {
  readonly order: Order;
  readonly pay: { readonly code: string; readonly name: string };
}

/** What an earlier step of ours put into a cart and could not take out again: known by it, it is no one else's. */
const LEFT_MAX = 1_000;
const left = new Map<string, OrderWish>();

/** Why the shop does not take it into the cart. Anything else that it says is trouble. */
const GAPS: Readonly<Record<string, string>> = {
  INSUFFICIENT_STOCK_ERROR: "the shop does not have that many of it",
  ORDER_LIMIT_ERROR: "the shop does not sell that many at once",
  NEGATIVE_QUANTITY_ERROR: "the shop does not take this quantity",
  ORDER_INTERCEPTOR_ERROR: "the shop does not take this item into an order",
  INELIGIBLE_SHIPPING_METHOD_ERROR: "the shop does not deliver this to the address",
};

export async function readCart(session: HttpSession): Promise<Attempt<Cart & { readonly customer: Customer }>> {
  const cart = await ask(session, CART, {}, cartShape);
  if (cart.activeCustomer === null) return wantsSignIn();
  return ok({ ...cart, customer: cart.activeCustomer });
}
type Customer = NonNullable<Cart["activeCustomer"]>;

/**
 * Puts the wished item into the empty cart, to that address, by the cheapest delivery.
 * @param ours the code of a cart in which a held request of this very task may have left it, when its process died.
 */
export async function fill(
  ctx: Ctx,
  session: HttpSession,
  wish: OrderWish,
  addressId: string,
  ours?: string,
): Promise<Attempt<Filled>> {
  const free = await freeCart(session, wish, ours);
  if (!free.ok) return free;
  const item = await findItem(session, wish.itemRef);
  if (!item.ok) return item;
  if (item.value.variant.currencyCode !== wish.currency) return gap("the shop sells it in another currency");
  const address = free.value.addresses?.find((each) => each.id === addressId);
  if (address === undefined) return gap("the address is no longer in the customer's address book");
  let filled: Attempt<Filled> | undefined;
  try {
    filled = await changes(session, [
      ["addItemToOrder", ADD, { id: item.value.variant.id, quantity: wish.quantity }],
      ["setOrderShippingAddress", ADDRESS, { address: addressInput(address) }],
    ]);
    filled ??= await deliver(session);
    filled ??= await lookAt(session, wish);
    return filled;
  } finally {
    if (filled?.ok !== true) await takeOut(ctx, session, wish);
  }
}

type Change = readonly [member: string, document: string, variables: Parameters<typeof change>[3]];

/** @returns why not; undefined when all of them were done. */
async function changes(session: HttpSession, wanted: readonly Change[]): Promise<Attempt<never> | undefined> {
  for (const [member, document, variables] of wanted) {
    const code = await change(session, document, member, variables);
    if (code === undefined) continue;
    const why = Object.hasOwn(GAPS, code) ? GAPS[code] : undefined;
    if (why === undefined) throw new SiteTrouble(`the shop did not do ${member}: ${code}`);
    return gap(why);
  }
  return undefined;
}

async function deliver(session: HttpSession): Promise<Attempt<never> | undefined> {
  const { eligibleShippingMethods: methods } = await ask(session, SHIPPING, {}, shippingShape);
  const [cheapest] = methods.toSorted((a, b) => a.priceWithTax - b.priceWithTax);
  if (cheapest === undefined) return gap("the shop does not deliver this to the address");
  return changes(session, [["setOrderShippingMethod", SHIP_BY, { id: cheapest.id }]]);
}

/** What the cart is now, whatever the changes said: they may have been another one's, or nobody's. */
async function lookAt(session: HttpSession, wish: OrderWish): Promise<Attempt<Filled>> {
  const cart = await readCart(session);
  if (!cart.ok) return cart;
  const { activeOrder: order, eligiblePaymentMethods } = cart.value;
  if (order === null || !isWanted(order, wish)) throw new SiteTrouble("the cart changed while it was filled");
  const [pay, ...others] = eligiblePaymentMethods.filter(({ isEligible }) => isEligible);
  if (pay === undefined) return gap("the shop offers no way to pay for this");
  if (others.length > 0) return gap("the shop offers several ways to pay, and nobody has chosen one");
  return ok({ order, pay });
}

/** The cart, empty: as it was, or rid of what we left there. */
async function freeCart(session: HttpSession, wish: OrderWish, ours?: string): Promise<Attempt<Customer>> {
  const cart = await readCart(session);
  if (!cart.ok) return cart;
  const { activeOrder: order, customer } = cart.value;
  if (order === null || order.lines.length === 0) return ok(customer);
  const known = left.get(keyOf(session, order.code));
  const own = known !== undefined && isWanted(order, known) ? known : undefined;
  // Only a request of this task's own brings a cart with just this so far; see `ours`.
  const held = order.code === ours && order.state === PAYING && isWanted(order, wish) ? wish : undefined;
  const mine = own ?? held;
  if (mine === undefined) return gap(IN_USE);
  await empty(session, order, mine);
  return ok(customer);
}

/** Takes what we put there out of the cart again, and nothing else. What fails is remembered for the next step. */
export async function takeOut(ctx: Ctx, session: HttpSession, wish: OrderWish, code?: string): Promise<void> {
  if (ctx.signal.aborted) return;
  try {
    const cart = await readCart(session);
    const order = cart.ok ? cart.value.activeOrder : null;
    if (order === null || (code !== undefined && order.code !== code)) return;
    left.set(keyOf(session, order.code), wish);
    for (const oldest of left.size > LEFT_MAX ? [...left.keys()].slice(0, 1) : []) left.delete(oldest);
    await empty(session, order, wish);
  } catch (cause) {
    if (!(cause instanceof SiteTrouble)) throw cause;
    ctx.log.info("vendure.cart_not_emptied", {});
  }
}

async function empty(session: HttpSession, order: Order, wish: OrderWish): Promise<void> {
  const line = order.lines.find((each) => isOf(each, wish));
  const remaining = (line?.quantity ?? 0) - wish.quantity;
  const back: readonly Change[] = order.state === PAYING ? [["transitionOrderToState", TO_CART, {}]] : [];
  const out: readonly Change[] =
    line === undefined
      ? []
      : remaining > 0
        ? [["adjustOrderLine", LEAVE, { id: line.id, quantity: remaining }]]
        : [["removeOrderLine", TAKE_OUT, { id: line.id }]];
  await changes(session, [...back, ...out]);
  left.delete(keyOf(session, order.code));
}

function keyOf(session: HttpSession, code: string): string {
  return `${session.origin}\n${code}`;
}

import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap, wantsSignIn } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import type { Checkout } from "../shared/terms.ts";
import type { OrderWish } from "../shared/wish.ts";
import { fillCart, holdsOnly } from "./cart.ts";
import { lookAtCheckout, readCheckout } from "./checkout-page.ts";
import { goTo, isSignIn, onPage } from "./visit.ts";

export const CHECKOUT = "/checkout";
const OPTIONS = "/checkout/options";

/** What is to stand on the last screen. Without an instrument the one that the shop preselects stays. */
export interface Wanted {
  readonly delivery: string;
  readonly address: string;
  readonly instrument?: string;
}

export interface LastScreen {
  readonly page: Page;
  readonly checkout: Checkout;
}

/**
 * Brings the checkout to the last screen before commitment: exactly the wanted line, the wanted choices, no note. The
 * cart and the choices are the account's and live at the shop, so all is checked as the shop has it, not as we left it.
 * The page stays open.
 */
export function toLastScreen(session: BrowserSession, wish: OrderWish, wanted: Wanted): Promise<Attempt<LastScreen>> {
  return onPage(session, async () => {
    const page = await session.page(CHECKOUT);
    if (isSignIn(page)) return wantsSignIn();
    const there = await ofTheWish(page, wish);
    if (!there.ok) return there;
    const chosen = await choose(page, wanted);
    if (!chosen.ok) return chosen;
    const kept = chosen.value === "changed" ? await goTo(page, CHECKOUT) : ok(undefined);
    if (!kept.ok) return kept;
    const checkout = await readOn(page);
    if (checkout === undefined || !holdsOnly(checkout.lines, wish) || !isAsWanted(checkout, wanted))
      throw new SiteTrouble("the shop did not keep what was chosen");
    return ok({ page, checkout });
  });
}

/** Leaves the page at a checkout of the wanted line alone. */
async function ofTheWish(page: Page, wish: OrderWish): Promise<Attempt<void>> {
  const checkout = await readOn(page);
  if (checkout !== undefined && holdsOnly(checkout.lines, wish)) return ok(undefined);
  const filled = await fillCart(page, wish);
  return filled.ok ? goTo(page, CHECKOUT) : filled;
}

/** The checkout as it stands; undefined when an empty cart led away from it. */
async function readOn(page: Page): Promise<Checkout | undefined> {
  return pathOf(page) === CHECKOUT ? readCheckout(await lookAtCheckout(page)) : undefined;
}

async function choose(page: Page, wanted: Wanted): Promise<Attempt<"changed" | "as_it_was">> {
  if (pathOf(page) !== CHECKOUT) throw new SiteTrouble("the shop's checkout is not of the cart");
  let outcome: "changed" | "as_it_was" = "as_it_was";
  const note = page.getByRole("textbox", { name: "Order note (optional)", exact: true });
  if ((await note.inputValue()) !== "") {
    await note.fill("");
    const radio = page.locator('input[type="radio"][name="delivery"]:checked');
    await keeping(page, () => radio.dispatchEvent("change"));
    outcome = "changed";
  }
  for (const [group, id] of Object.entries(wanted)) {
    const radio = page
      .locator(`input[type="radio"][name="${group}"]`)
      .and(page.locator(`[value=${JSON.stringify(id)}]`));
    if ((await radio.count()) !== 1) return gap(`the shop does not offer this ${group} any more`);
    if (await radio.isChecked()) continue;
    await keeping(page, () => radio.check());
    outcome = "changed";
  }
  return ok(outcome);
}

/** The page's own script keeps each choice at the shop; a choice made before that would be lost. */
async function keeping(page: Page, act: () => Promise<void>): Promise<void> {
  const kept = page.waitForResponse((response) => new URL(response.url()).pathname === OPTIONS);
  await Promise.all([kept, act()]);
}

function isAsWanted(checkout: Checkout, wanted: Wanted): boolean {
  return (
    checkout.note === "" &&
    checkout.delivery.id === wanted.delivery &&
    checkout.address.id === wanted.address &&
    (wanted.instrument === undefined || checkout.instrument.id === wanted.instrument)
  );
}

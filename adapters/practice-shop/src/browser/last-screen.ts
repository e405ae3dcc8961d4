import { SiteTrouble } from "@countersign/plugin";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { type Attempt, gap, signIn } from "../shared/stop.ts";
import type { Checkout } from "../shared/terms.ts";
import type { OrderWish } from "../shared/wish.ts";
import { fillCart, holdsOnly } from "./cart.ts";
import { lookAtCheckout, readCheckout } from "./checkout-page.ts";
import { isSignIn, onPage, pathOf } from "./visit.ts";

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
    const first = await present(page, wish);
    if (!first.ok) return first;
    if (!first.value) {
      const filled = await fillCart(session, wish);
      if (!filled.ok) return filled;
      const again = await load(page, wish);
      if (!again.ok) return again;
      if (!again.value) throw new SiteTrouble("the shop's checkout is not of the cart");
    }
    const chosen = await choose(page, wanted);
    if (!chosen.ok) return chosen;
    const kept = await load(page, wish);
    if (!kept.ok) return kept;
    const checkout = readCheckout(await lookAtCheckout(page));
    if (!kept.value || !isAsWanted(checkout, wanted)) throw new SiteTrouble("the shop did not keep what was chosen");
    return ok({ page, checkout });
  });
}

async function load(page: Page, wish: OrderWish): Promise<Attempt<boolean>> {
  await page.goto(new URL(CHECKOUT, page.url()).href, { waitUntil: "domcontentloaded" });
  return present(page, wish);
}

/** Whether the checkout is there and of the wanted line alone; an empty cart leads away from it. */
async function present(page: Page, wish: OrderWish): Promise<Attempt<boolean>> {
  if (isSignIn(page)) return signIn();
  if (pathOf(page) !== CHECKOUT) return ok(false);
  return ok(holdsOnly(readCheckout(await lookAtCheckout(page)).lines, wish));
}

async function choose(page: Page, wanted: Wanted): Promise<Attempt<void>> {
  const note = page.getByRole("textbox", { name: "Order note (optional)", exact: true });
  if ((await note.inputValue()) !== "") {
    await note.fill("");
    const radio = page.locator('input[type="radio"][name="delivery"]:checked');
    await keeping(page, () => radio.dispatchEvent("change"));
  }
  for (const [group, id] of Object.entries(wanted)) {
    const radio = page
      .locator(`input[type="radio"][name="${group}"]`)
      .and(page.locator(`[value=${JSON.stringify(id)}]`));
    if ((await radio.count()) !== 1) return gap(`the shop does not offer this ${group} any more`);
    if (!(await radio.isChecked())) await keeping(page, () => radio.check());
  }
  return ok(undefined);
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

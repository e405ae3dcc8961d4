import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import type { Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { CLICK_TAKES_MS, PART_MS } from "./limits.ts";
import { readSummary, type Summary, type SummaryLook, summaryInPage } from "./summary.ts";
import { pressUntil } from "./visit.ts";
import { type Address, addressText } from "./wish.ts";

export const CHECKOUT = "/checkout";
/** A request names no delivery: it goes by the one of this name. */
export const DELIVERY = "Standard";
export const PAYMENT = "Cash On Delivery";
const DELIVERY_RADIO = /^Standard \$[0-9,.]+$/;

/** The checkout as its page shows it. */
export interface Checkout {
  readonly summary: Summary;
  readonly shipTo: string;
  /** Empty when there is none. It stays with the cart, and the order carries it. */
  readonly note: string;
}

export interface CheckoutLook {
  readonly summary: SummaryLook;
  readonly address: Address;
  readonly street2: string;
  readonly note: string;
}

/**
 * Types the address, chooses the delivery, and waits until the total has it. Every field is cleared first: a cart that
 * came this far before shows its address again, yet the page sends none that was not typed into it.
 */
export async function fillCheckout(page: Page, address: Address): Promise<Attempt<Checkout>> {
  await page.waitForLoadState("load");
  await type(page, "full_name", address.fullName);
  await type(page, "telephone", address.telephone);
  await type(page, "address_1", address.street);
  await type(page, "address_2", "");
  await type(page, "city", address.city);
  for (const [list, option] of [
    ["Country", address.country],
    ["Province", address.province],
  ] as const) {
    const chosen = await pick(page, list, option);
    if (!chosen.ok) return chosen;
  }
  // Last: the form forgets a postcode that was typed before the province was chosen.
  await type(page, "postcode", address.postcode);
  const delivery = page.getByRole("radio", { name: DELIVERY_RADIO });
  if (!(await appears(delivery.first()))) return gap("the shop offers no standard delivery to this address");
  if ((await delivery.count()) !== 1) return gap("the shop offers more than one standard delivery");
  const taken = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith("/shippingMethods"));
  await Promise.all([taken, delivery.click()]);
  const checkout = await lookAgain(page, (seen) => isComplete(seen, address));
  return checkout === undefined ? gap("the shop did not keep the address as it was typed") : ok(checkout);
}

/** Chooses how to pay, which leads to no request; the button that commits is there then. */
export async function choosePayment(page: Page): Promise<Attempt<void>> {
  const same = page.getByRole("radio", { name: "Same as shipping address", exact: true });
  const payment = page.getByRole("radio", { name: PAYMENT, exact: true });
  if ((await same.count()) !== 1 || !(await same.isChecked())) throw new SiteTrouble("the shop bills another address");
  if ((await payment.count()) !== 1) return gap("the shop does not offer cash on delivery");
  await pressUntil(
    () => payment.click(),
    (timeout) => placeOrder(page).waitFor({ timeout }),
  );
  return ok(undefined);
}

export function placeOrder(page: Page) {
  return page.getByRole("button", { name: "Place Order", exact: true });
}

/** What a page shows that was only loaded: its own script brings the address in a moment after the document. */
export async function readLoaded(page: Page, address: Address): Promise<Checkout> {
  await page.getByRole("radio", { name: PAYMENT, exact: true }).waitFor({ timeout: PART_MS });
  const complete = await lookAgain(page, (seen) => isComplete(seen, address));
  return complete ?? readOther(await lookAtCheckout(page));
}

/**
 * A checkout with another address than was typed: shown for what it is, and compared by whoever asked.
 * @throws SiteTrouble while parts of the address are missing: then it is not another one, but half of one.
 */
export function readOther(look: CheckoutLook): Checkout {
  if (Object.values(look.address).includes("")) throw new SiteTrouble("the shop's checkout shows half an address");
  return readCheckout(look);
}

export function readCheckout(look: CheckoutLook): Checkout {
  const summary = readSummary(look.summary);
  if (summary.shipping.title !== DELIVERY) throw new SiteTrouble("the shop's total is of another delivery");
  return { summary, shipTo: addressText(look.address, look.street2), note: look.note };
}

function isComplete(look: CheckoutLook, address: Address): boolean {
  const shown = addressText(look.address, look.street2) === addressText(address, "");
  return shown && look.summary.rows.some((row) => row.texts[0] === `Shipping (${DELIVERY})`);
}

/**
 * Looks until the page is so and can be read: while the shop reckons, the totals stand there without their figures.
 * @returns undefined when the page does not come to look so in time.
 * @throws SiteTrouble when it does, and still cannot be read.
 */
async function lookAgain(page: Page, isSo: (look: CheckoutLook) => boolean): Promise<Checkout | undefined> {
  const until = performance.now() + PART_MS;
  for (;;) {
    const look = await lookAtCheckout(page);
    const isLast = performance.now() > until;
    if (isSo(look)) {
      const checkout = tryRead(look);
      if (checkout !== undefined || isLast) return checkout ?? readCheckout(look);
    }
    if (isLast) return undefined;
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
}

function tryRead(look: CheckoutLook): Checkout | undefined {
  try {
    return readCheckout(look);
  } catch (error) {
    if (error instanceof SiteTrouble) return undefined;
    throw error;
  }
}

const LOOK_EVERY_MS = 100;

async function type(page: Page, field: keyof typeof FIELDS, text: string): Promise<void> {
  const box = page.getByRole("textbox", { name: FIELDS[field], exact: true });
  await box.clear();
  await box.fill(text);
}

/** As the page labels them: a star marks what it asks for. */
const FIELDS = {
  full_name: "Full name *",
  telephone: "Telephone *",
  address_1: "Address *",
  address_2: "Address 2",
  city: "City *",
  postcode: "Postcode *",
} as const;

/** The lists are drawn by the page's script, the options of the second after the first is chosen. */
async function pick(page: Page, list: "Country" | "Province", name: string): Promise<Attempt<void>> {
  const box = page.getByRole("combobox", { name: list });
  if (!(await appears(box))) return gap(`the shop asks for no ${list.toLowerCase()} there`);
  const options = page.getByRole("option");
  await pressUntil(
    async () => {
      if ((await options.count()) === 0) await box.click();
    },
    (timeout) => options.first().waitFor({ timeout }),
  );
  const option = page.getByRole("option", { name, exact: true });
  if (!(await appears(option, CLICK_TAKES_MS))) return gap(`the shop does not deliver to this ${list.toLowerCase()}`);
  await option.click();
  await options.first().waitFor({ state: "detached", timeout: PART_MS });
  return ok(undefined);
}

async function appears(part: ReturnType<Page["getByRole"]>, timeout: number = PART_MS): Promise<boolean> {
  return part.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

async function lookAtCheckout(page: Page): Promise<CheckoutLook> {
  const [summary, form] = await Promise.all([
    page.evaluate(summaryInPage),
    page.evaluate(() => {
      const field = (name: string) => document.getElementById(`field-shippingAddress.${name}`);
      const typed = (name: string) => {
        const box = field(name);
        return box instanceof HTMLInputElement ? box.value.trim() : "";
      };
      const chosen = (name: string) =>
        (field(name)?.querySelector("[data-slot=select-value]")?.textContent ?? "").trim();
      const notes = [...document.querySelectorAll<HTMLTextAreaElement>("main textarea")].map((box) => box.value);
      return {
        address: {
          fullName: typed("full_name"),
          telephone: typed("telephone"),
          street: typed("address_1"),
          city: typed("city"),
          province: chosen("province"),
          postcode: typed("postcode"),
          country: chosen("country"),
        },
        street2: typed("address_2"),
        note: [...new Set(notes)].filter((note) => note !== "").join("\n"),
      };
    }),
  ]);
  return { summary, ...form };
}

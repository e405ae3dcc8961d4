import type { Page, Response } from "playwright-core";
import type { NewCustomer } from "./shop.ts";

/** A person at the shop's pages, for the self-test: what an adapter does, without any of its care. */

export interface Basket {
  /** Of the product page. */
  readonly path: string;
  /** The option button to press: it names the variant. */
  readonly option: string;
  readonly qty: number;
}

export const deliveryAddress = {
  fullName: "Ada Example",
  telephone: "2025550147",
  street: "1 Main Street",
  city: "Springfield",
  country: "United States",
  province: "Illinois",
  postcode: "62701",
};

/** The request that places an order. */
export const commitPattern = { method: "POST", path: "/api/carts/*/checkout" };

export async function signIn(page: Page, origin: string, customer: NewCustomer): Promise<void> {
  await page.goto(`${origin}/account/login`);
  await page.getByRole("textbox", { name: "Email" }).fill(customer.email);
  await page.getByRole("textbox", { name: "Password" }).fill(customer.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL((url) => url.pathname !== "/account/login");
}

export async function signedInAs(page: Page, origin: string): Promise<string | null> {
  await page.goto(`${origin}/account`);
  return await page.getByRole("main").locator(".account__details__name").textContent();
}

export async function addToCart(page: Page, origin: string, basket: Basket): Promise<void> {
  await page.goto(`${origin}${basket.path}`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: basket.option, exact: true }).click();
  await page.waitForURL(/[?&]color=/);
  await main.getByRole("spinbutton", { name: "Quantity" }).fill(String(basket.qty));
  await main.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("dialog", { name: "Your Cart" }).waitFor();
}

/** To the last screen before the order. @returns the total shown there, such as `$35.00`. */
export async function checkOut(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/checkout`);
  // A cart that came this far before shows its address again, yet the page sends none that was not typed into it:
  // the order is then refused with "Billing address is required".
  await fillAddress(page);
  await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith("/shippingMethods")),
    page.getByRole("radio", { name: /^Standard/ }).click(),
  ]);
  await page.getByText("Shipping (Standard)").waitFor();
  await page.getByRole("radio", { name: "Cash On Delivery" }).click();
  await page.getByRole("button", { name: "Place Order" }).waitFor();
  return await shownTotal(page);
}

async function fillAddress(page: Page): Promise<void> {
  const type = async (name: string, text: string) => {
    const field = page.getByRole("textbox", { name });
    await field.clear(); // typing what is there already is no change to the page
    await field.fill(text);
  };
  await type("Full name", deliveryAddress.fullName);
  await type("Telephone", deliveryAddress.telephone);
  await type("Address *", deliveryAddress.street);
  await type("City", deliveryAddress.city);
  await choose(page, "Country", deliveryAddress.country);
  await choose(page, "Province", deliveryAddress.province);
  // Last: the form forgets a postcode that was typed before the province was chosen.
  await type("Postcode", deliveryAddress.postcode);
}

/** Presses the button; the answer of the shop's first request, or undefined when the connection broke. */
export async function placeOrder(page: Page): Promise<Response | undefined> {
  const isCommit = (url: string) => /\/api\/carts\/[^/]+\/checkout$/.test(new URL(url).pathname);
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.method() === "POST" && isCommit(request.url())),
    page.getByRole("button", { name: "Place Order" }).click(),
  ]);
  return (await sent.response()) ?? undefined;
}

/** Order numbers of the history page, oldest first. */
export async function orderHistory(page: Page, origin: string): Promise<readonly string[]> {
  await page.goto(`${origin}/account/orders`);
  const names = await page.getByRole("link", { name: /^Order #/ }).allTextContents();
  return names.map((name) => /#(\d+)/.exec(name)?.[1] ?? "");
}

async function choose(page: Page, list: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: list }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function shownTotal(page: Page): Promise<string> {
  const shown = await page.locator(".grand-total").textContent();
  return /\$[\d,.]+$/.exec(shown?.trim() ?? "")?.[0] ?? "";
}

import { type ReadAdapter, SiteTrouble } from "@countersign/plugin";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { type JsonObject, ok, parseInstant } from "@countersign/wire";
import { itemRef, itemResult, type ShopWish, watchResult, wishRow } from "../shared/item.ts";
import { readItem } from "./item-page.ts";
import { readMoney } from "./money.ts";
import { type Fact, factOf } from "./orders-page.ts";
import { expectHeading, visit } from "./visit.ts";

export const itemGet: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "retail.item.get",
  async read(ctx, session, params) {
    const item = await readItem(session, itemRef(params));
    return item.ok ? { kind: "done", result: itemResult(ctx, item.value) } : item.reason;
  },
};

/** One look; the gateway comes back for the next one. */
export const dealWatch: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "retail.deal.watch",
  async read(ctx, session, params) {
    const item = await readItem(session, itemRef(params));
    return item.ok ? { kind: "done", result: watchResult(ctx, item.value, params) } : item.reason;
  },
};

export const wishlistList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "retail.wishlist.list",
  async read(_ctx, session, params) {
    const wishes = await visit(session, "/wishlist", async (page) => ok(wishesOf(await look(page))));
    if (!wishes.ok) return wishes.reason;
    return { kind: "done", result: { items: wishes.value.slice(0, Number(params["limit"])).map(wishRow) } };
  },
};

export interface WishlistLook {
  readonly heading: string;
  readonly wishes: readonly { readonly title: string; readonly facts: readonly Fact[] }[];
}

const AVAILABILITY: ReadonlyMap<string, boolean> = new Map([
  ["In stock", true],
  ["Sold out", false],
]);

/** @throws SiteTrouble when the list cannot be read. */
export function wishesOf(seen: WishlistLook): readonly ShopWish[] {
  expectHeading(seen.heading, "Your wishlist");
  return seen.wishes.map(({ title, facts }): ShopWish => {
    const { currency, minor } = readMoney(factOf(facts, "Price").text);
    const isAvailable = AVAILABILITY.get(factOf(facts, "Availability").text);
    const addedAt = factOf(facts, "Saved on").time;
    if (title === "" || isAvailable === undefined || !parseInstant(addedAt).ok)
      throw new SiteTrouble("the shop shows a wish that cannot be read");
    return { sku: factOf(facts, "SKU").text, title, currency, unitMinor: minor, isAvailable, addedAt };
  });
}

function look(page: Page): Promise<WishlistLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    return {
      heading: text(document.querySelector("main h1")),
      wishes: [...document.querySelectorAll("main article")].map((article) => ({
        title: text(article.querySelector("h2")),
        facts: [...article.querySelectorAll("dl > div")].map((fact) => ({
          term: text(fact.querySelector("dt")),
          text: text(fact.querySelector("dd")),
          time: fact.querySelector("time")?.dateTime ?? "",
        })),
      })),
    };
  });
}

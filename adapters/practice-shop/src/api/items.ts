import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, gap, wantsSignIn } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import type { JsonObject } from "@countersign/wire";
import { IN_VARIANTS, itemRef, itemResult, NO_SUCH_ITEM, type ShopItem, watchResult, wishRow } from "../shared/item.ts";
import { errorCode, itemShape, wishlistShape } from "./shapes.ts";

export const itemGet: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.item.get",
  async read(ctx, session, params) {
    const item = await readItem(session, itemRef(params));
    return item.ok ? { kind: "done", result: itemResult(ctx, item.value) } : item.reason;
  },
};

/** One look; the gateway comes back for the next one. */
export const dealWatch: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.deal.watch",
  async read(ctx, session, params) {
    const item = await readItem(session, itemRef(params));
    return item.ok ? { kind: "done", result: watchResult(ctx, item.value, params) } : item.reason;
  },
};

export const wishlistList: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.wishlist.list",
  async read(_ctx, session, params) {
    const wishes = bodyOf(await session.fetch("/api/v1/wishlist"), 200, wishlistShape);
    if (!wishes.ok) return wishes.reason;
    return { kind: "done", result: { items: wishes.value.slice(0, Number(params["limit"])).map(wishRow) } };
  },
};

async function readItem(session: HttpSession, sku: string): Promise<Attempt<ShopItem>> {
  const answer = await session.fetch(`/api/v1/products/${encodeURIComponent(sku)}`);
  if (answer.kind === "signed_out") return wantsSignIn();
  if (answer.status === 404 && errorCode(answer) === "not_found") return gap(NO_SUCH_ITEM);
  if (answer.status === 409 && errorCode(answer) === "choose_variant") return gap(IN_VARIANTS);
  return bodyOf(answer, 200, itemShape);
}

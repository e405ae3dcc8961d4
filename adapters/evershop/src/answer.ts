import type { Answer, Recognised } from "@countersign/plugin";
import { answerJson, isJsonObject, type Json, type JsonObject } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { ORDER_NUMBER } from "./history.ts";
import { CURRENCY, storedMinor } from "./money.ts";
import { type OrderWish, orderWish } from "./wish.ts";

/**
 * What the shop checks before it writes an order, in its own words. It answers 500 to anything that goes wrong, after
 * the writing too, so nothing but these says that there is no order.
 */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["Cart has errors", "the shop does not sell the cart as it is"],
  ["Cart is empty", "the shop's cart was empty"],
  ["Shipping address is required", "the shop was given no delivery address"],
  ["Shipping method is required", "the shop was given no delivery"],
  ["Billing address is required", "the shop was given no billing address"],
  ["You must be logged in to place an order", "the shop wants a signed-in customer"],
]);
const REFUSED = "Order validation failed: ";
const BETWEEN_REFUSALS = "\r\n-- ";

/**
 * An order of another quantity is no confirmation of this one. Of the answer nothing is passed on but number, total and
 * currency: it also names the session.
 */
export function recogniseOrder(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
  const json = answerJson(answer);
  if (json === undefined || !isJsonObject(json)) return { kind: "unknown" };
  if (answer.status === 200) return confirmed(json["data"], orderWish(record.parameters as JsonObject));
  if (answer.status === 500) return refused(json["error"]);
  return { kind: "unknown" };
}

function confirmed(data: Json | undefined, { quantity }: OrderWish): Recognised<JsonObject> {
  if (data === undefined || !isJsonObject(data)) return { kind: "unknown" };
  const { order_number: number, grand_total: total, total_qty: ordered, currency } = data;
  if (ordered !== quantity) return { kind: "unknown" };
  const totalMinor = storedMinor(total);
  if (typeof number !== "string" || !ORDER_NUMBER.test(number)) return { kind: "unknown" };
  if (totalMinor === undefined || currency !== CURRENCY) return { kind: "unknown" };
  const charged = { currency, total_minor: totalMinor };
  return { kind: "confirmed", confirmation: number, result: { order_number: number, ...charged }, observed: charged };
}

function refused(error: Json | undefined): Recognised<JsonObject> {
  const message = error !== undefined && isJsonObject(error) ? error["message"] : undefined;
  if (typeof message !== "string" || !message.startsWith(REFUSED)) return { kind: "unknown" };
  const reasons = message.slice(REFUSED.length).split(BETWEEN_REFUSALS);
  const [why] = reasons.map((reason) => REFUSALS.get(reason));
  return why !== undefined && reasons.every((reason) => REFUSALS.has(reason))
    ? { kind: "refused", why }
    : { kind: "unknown" };
}

import type { Recognised, Verification } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, pathOf } from "@countersign/route-browser";
import { type JsonObject, ok } from "@countersign/wire";
import { visit } from "./visit.ts";

const VERSION = 1;
const CONFIRMED = /^\/orders\/(HH-[0-9]{1,12})\/confirmed$/;
/** Where the shop sends the person whose bank asks for a code. */
export const VERIFICATION = /^\/checkout\/verification\/[\w-]{1,100}$/;

export function demandState(path: string): JsonObject {
  return { v: VERSION, path };
}

/** The shop tells a placed order's number by where it leads; the total is then the approved one. */
export function confirmedBy(
  path: string,
  record: ActionRecord,
): Extract<Recognised<JsonObject>, { kind: "confirmed" }> | undefined {
  const number = CONFIRMED.exec(path)?.[1];
  if (number === undefined) return undefined;
  const { currency = "", total_minor = 0 } = record.terms as JsonObject;
  return { kind: "confirmed", confirmation: number, result: { order_number: number, currency, total_minor } };
}

/**
 * The person types the bank's code into the page that waits. What came of it is looked up in a page of our own: theirs
 * may stand anywhere by now.
 */
export const bankPage: Verification<JsonObject, BrowserSession> = {
  mode: "page",
  async look(_ctx, session, record, state) {
    const { v, path } = state;
    if (v !== VERSION || typeof path !== "string" || !VERIFICATION.test(path)) return { kind: "unknown" };
    const seen = await visit(session, path, async (page) =>
      ok({ path: pathOf(page), heading: (await page.locator("main h1").textContent()) ?? "" }),
    );
    if (!seen.ok) return { kind: "unknown" };
    if (seen.value.path === path && seen.value.heading === "Confirm your payment") return { kind: "waiting" };
    if (seen.value.path === path && seen.value.heading === "Your order was not placed")
      return { kind: "refused", why: "the bank did not confirm the payment" };
    return confirmedBy(seen.value.path, record) ?? { kind: "unknown" };
  },
};

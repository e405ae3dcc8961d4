import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, gap, type JsonObject, ok, SiteTrouble, wantsSignIn } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import type { z } from "zod";
import { PAGES_MAX } from "../shared/limits.ts";
import { billsShape, errorCode, usageShape } from "./shapes.ts";

type Reading = ReadAdapter<JsonObject, JsonObject, HttpSession>;

const NO_SUCH_CONTRACT = "the provider has no such contract here";

/** Page by page, until there are enough rows or no more. */
async function walk<P extends { readonly pages: number }, R>(
  session: HttpSession,
  path: string,
  query: Readonly<Record<string, unknown>>,
  shape: z.ZodType<P>,
  rowsOf: (page: P) => readonly R[],
  limit: number,
): Promise<Attempt<readonly R[]>> {
  const rows: R[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const asked = new URLSearchParams({ page: String(page) });
    for (const [name, value] of Object.entries(query)) if (typeof value === "string") asked.set(name, value);
    const answer = await session.fetch(`${path}?${asked}`);
    if (answer.kind === "signed_out") return wantsSignIn();
    if (answer.status === 422 && errorCode(answer.json) === "unknown_contract") return gap(NO_SUCH_CONTRACT);
    const body = bodyOf(answer, 200, shape);
    if (!body.ok) return body;
    rows.push(...rowsOf(body.value));
    if (page >= body.value.pages || rows.length >= limit) return ok(rows.slice(0, limit));
  }
  throw new SiteTrouble("the provider's list does not end");
}

export const billsList: Reading = {
  effect: "read",
  operation: "utilities.bills.list",
  async read(_ctx, session, params) {
    const query = { contract: params["contract_ref"], ...(params["only"] === "to_pay" ? { show: "to_pay" } : {}) };
    const limit = Number(params["limit"]);
    const bills = await walk(session, "/api/bills", query, billsShape, (page) => page.bills, limit);
    if (!bills.ok) return bills.reason;
    const rows = bills.value.map((bill) => ({
      bill_ref: bill.id,
      contract_ref: bill.contract,
      number: bill.number,
      title: bill.title,
      issued_on: bill.issued_on,
      due_on: bill.due_on,
      period_starts_on: bill.period.from,
      period_ends_on: bill.period.to,
      currency: "EUR",
      total_minor: bill.total_cents,
      open_minor: bill.open_cents,
      status: bill.status,
    }));
    return { kind: "done", result: { bills: rows } };
  },
};

export const usageList: Reading = {
  effect: "read",
  operation: "utilities.usage.list",
  async read(_ctx, session, params) {
    const query = { contract: params["contract_ref"], from: params["from"], to: params["to"] };
    const limit = Number(params["limit"]);
    const usage = await walk(session, "/api/usage", query, usageShape, (page) => page.usage, limit);
    if (!usage.ok) return usage.reason;
    const rows = usage.value.map(({ contract, cost_cents: cost, ...row }) => ({
      contract_ref: contract,
      kind: row.kind,
      place: row.place,
      from: row.from,
      to: row.to,
      used: row.used,
      unit: row.unit,
      estimated: row.estimated,
      currency: "EUR",
      cost_minor: cost,
    }));
    return { kind: "done", result: { usage: rows } };
  },
};

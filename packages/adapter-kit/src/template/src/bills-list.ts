import type { JsonObject, ReadAdapter } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { readBills } from "./api.ts";
import { CURRENCY } from "./limits.ts";

/** A read. What it returns is held against the operation's result schema before an agent sees it. */
export const billsList: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "utilities.bills.list",
  async read(_ctx, session, params) {
    const bills = await readBills(session);
    if (!bills.ok) return bills.reason;
    const wanted = bills.value.filter((bill) => params["only"] !== "to_pay" || bill.open > 0);
    const rows = wanted.slice(0, Number(params["limit"])).map((bill) => ({
      bill_ref: bill.id,
      number: bill.number,
      title: bill.title,
      issued_on: bill.issued,
      due_on: bill.due,
      currency: CURRENCY,
      total_minor: bill.total,
      open_minor: bill.open,
      status: bill.open > 0 ? "open" : "paid",
    }));
    return { kind: "done", result: { bills: rows } };
  },
};

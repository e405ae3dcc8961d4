import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import { PAGES_MAX } from "../shared/limits.ts";
import { accountOf } from "./accounts.ts";
import { type Look, look, printedDay, printedMinor, rowsOf, shown, visits } from "./page-text.ts";

const COLUMNS = ["Date", "Who", "Details", "Amount", "Balance", "Reference"];

export const transactionsList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "banking.transactions.list",
  async read(_ctx, session, params) {
    const account = await accountOf(session, String(params["bank_account_ref"]));
    if (!account.ok) return account.reason;
    const limit = Number(params["limit"]);
    const { id, name, currency } = account.value;
    const rows: JsonObject[] = [];
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const query = new URLSearchParams({ page: String(page) });
      for (const day of ["from", "to"]) if (typeof params[day] === "string") query.set(day, params[day]);
      const path = `/accounts/${encodeURIComponent(id)}?${query}`;
      const seen: Attempt<Look> = await visits.visit(session, path, async (shownPage) => ok(await look(shownPage)));
      if (!seen.ok) return seen.reason;
      visits.expectHeading(seen.value.heading, name);
      // A list that grew meanwhile moves rows to the next page: none may be listed twice.
      const fresh = transactionsOf(seen.value, page, currency).filter(
        (row) => !rows.some((known) => known["transaction_ref"] === row["transaction_ref"]),
      );
      rows.push(...fresh);
      const more = seen.value.older || rows.length > limit;
      if (!seen.value.older || rows.length >= limit)
        return {
          kind: "done",
          result: { bank_account_ref: id, currency, transactions: rows.slice(0, limit), more },
        };
    }
    throw new SiteTrouble("the bank's list of transactions does not end");
  },
};

/** The rows of one page; a page that is not the wanted one of its list is not read. */
export function transactionsOf(seen: Look, page: number, currency: string): readonly JsonObject[] {
  if (!new RegExp(`^Page ${page} of [0-9]{1,4}$`).test(seen.pages))
    throw new SiteTrouble("the bank does not show the wanted page of its list");
  return rowsOf(seen, "Transactions", COLUMNS).map(({ cells }) => {
    const [date = "", who = "", details = "", amount = "", balance = "", reference = ""] = cells;
    const pending = date === "Pending";
    return {
      transaction_ref: shown(reference, "reference of a transaction"),
      ...(pending ? {} : { booked_on: printedDay(date) }),
      ...(who === "" ? {} : { counterparty: who }),
      ...(details === "" ? {} : { text: details }),
      amount_minor: printedMinor(amount, currency),
      ...(balance === "" ? {} : { balance_minor: printedMinor(balance, currency) }),
      pending,
    };
  });
}

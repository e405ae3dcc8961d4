import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, gap, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import { identityOf, type Method } from "../shared/identity.ts";
import { factOf, type ListView, listed, onView, printedDay, printedMinor, type Row, shown, visits } from "./view.ts";

type Reading = ReadAdapter<JsonObject, JsonObject, BrowserSession>;

const BILLS: ListView = {
  path: "/bills",
  heading: "Bills",
  caption: "Your bills",
  columns: ["Bill", "Number", "Contract", "Issued", "Due", "Total", "Still to pay", "State"],
  older: "Show older bills",
  none: "There is no bill yet.",
};
const USAGE: ListView = {
  path: "/usage",
  heading: "Usage",
  caption: "Usage by month",
  columns: ["Month", "Kind", "Contract", "From", "To", "Used", "Reading", "Cost"],
  older: "Show older months",
  none: "Nothing was used yet.",
};
const STATES: Readonly<Record<string, string>> = {
  "To pay": "open",
  "Paid in part": "part_paid",
  Paid: "paid",
  Overdue: "overdue",
  Credit: "credit",
};
const KINDS: Readonly<Record<string, string>> = { Electricity: "electricity", Gas: "gas" };
const NO_SUCH_CONTRACT = "the provider has no such contract here";

function of(words: Readonly<Record<string, string>>, text: string, what: string): string {
  const word = Object.hasOwn(words, text) ? words[text] : undefined;
  if (word === undefined) throw new SiteTrouble(`the provider shows an unknown ${what}`);
  return word;
}

/** The contracts' own numbers: a list that has no row of one does not say that there is none. */
async function hasContract(session: BrowserSession, wanted: unknown): Promise<Attempt<boolean>> {
  if (wanted === undefined) return ok(true);
  return onView(session, "/contracts", async (seen) => {
    visits.expectHeading(seen.heading, "Contracts");
    return ok(seen.facts.some(([term, text]) => term === "Contract number" && text === wanted));
  });
}

function billOf({ cells, href }: Row): JsonObject {
  const [title = "", number = "", contract = "", issued = "", due = "", total = "", open = "", state = ""] = cells;
  const id = /^\/bills\/([\w-]{1,64})$/.exec(href)?.[1];
  if (id === undefined) throw new SiteTrouble("the provider shows a bill that leads nowhere");
  return {
    bill_ref: id,
    contract_ref: shown(contract, "contract"),
    number: shown(number, "bill number"),
    title: shown(title, "bill"),
    issued_on: printedDay(issued),
    due_on: printedDay(due),
    currency: "EUR",
    total_minor: printedMinor(total),
    open_minor: printedMinor(open),
    status: of(STATES, state, "state of a bill"),
  };
}

export const billsList: Reading = {
  effect: "read",
  operation: "utilities.bills.list",
  async read(_ctx, session, params) {
    const { contract_ref: contract, only } = params;
    const limit = Number(params["limit"]);
    const known = await hasContract(session, contract);
    if (!known.ok) return known.reason;
    if (!known.value) return { kind: "gap", why: NO_SUCH_CONTRACT };
    const wanted = (rows: readonly Row[]) =>
      rows
        .map(billOf)
        .filter((bill) => contract === undefined || bill["contract_ref"] === contract)
        .filter((bill) => only !== "to_pay" || Number(bill["open_minor"]) > 0);
    const rows = await listed(session, BILLS, (seen) => wanted(seen).length >= limit);
    if (!rows.ok) return rows.reason;
    return { kind: "done", result: { bills: wanted(rows.value).slice(0, limit) } };
  },
};

function usageOf({ cells }: Row): JsonObject {
  const [, kind = "", contract = "", from = "", to = "", used = "", reading = "", cost = ""] = cells;
  const [, amount, unit] = /^((?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?) (kWh|m3)$/.exec(used) ?? [];
  if (amount === undefined || unit === undefined)
    throw new SiteTrouble("the provider shows an amount that cannot be read");
  return {
    contract_ref: shown(contract, "contract"),
    kind: of(KINDS, kind, "kind"),
    from: printedDay(from),
    to: printedDay(to),
    used: amount,
    unit,
    estimated: of({ Read: "no", Estimated: "yes" }, reading, "reading") === "yes",
    currency: "EUR",
    cost_minor: printedMinor(cost),
  };
}

export const usageList: Reading = {
  effect: "read",
  operation: "utilities.usage.list",
  async read(_ctx, session, params) {
    const { contract_ref: contract, from, to } = params;
    const limit = Number(params["limit"]);
    const known = await hasContract(session, contract);
    if (!known.ok) return known.reason;
    if (!known.value) return { kind: "gap", why: NO_SUCH_CONTRACT };
    // A month that reaches into the days is listed, as the provider's API does it.
    const wanted = (rows: readonly Row[]) =>
      rows
        .map(usageOf)
        .filter((row) => contract === undefined || row["contract_ref"] === contract)
        .filter((row) => typeof from !== "string" || String(row["to"]) >= from)
        .filter((row) => typeof to !== "string" || String(row["from"]) <= to);
    const rows = await listed(session, USAGE, (seen) => wanted(seen).length >= limit);
    if (!rows.ok) return rows.reason;
    return { kind: "done", result: { usage: wanted(rows.value).slice(0, limit) } };
  },
};

/** Whose account it is, and how they pay: the settings name each way with the provider's own id. */
export async function whose(session: BrowserSession) {
  const seen = await onView(session, "/settings", async (view, page) => {
    visits.expectHeading(view.heading, "Settings");
    const number = factOf(view, "Customer number");
    if (!/^[0-9]{4,16}$/.test(number)) return gap("the provider does not say whose account this is");
    const methods: readonly Method[] = await page
      .getByLabel("Preset payment method", { exact: true })
      .locator("option")
      .evaluateAll((options) =>
        options.map((option) => ({
          id: (option as HTMLOptionElement).value,
          label: (option.textContent ?? "").trim(),
        })),
      );
    if (methods.length === 0) throw new SiteTrouble("the provider does not show how the account pays");
    return ok(identityOf(shown(factOf(view, "Name"), "name"), number, methods));
  });
  return seen.ok ? seen.value : undefined;
}

import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, gap, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import { type Look, look, printedAmount, printedMinor, rowsOf, shown, visits } from "./page-text.ts";

const COLUMNS = ["Name", "Kind", "Number", "Balance", "Available"];
const KINDS: Readonly<Record<string, "current" | "savings" | "card">> = {
  "Current account": "current",
  "Savings account": "savings",
  "Credit card": "card",
};
const HOLDER = /^(.+), customer ([0-9]{4,16})$/;

export interface ShownAccount {
  readonly id: string;
  readonly name: string;
  readonly kind: "current" | "savings" | "card" | "other";
  readonly number: string;
  readonly currency: string;
  readonly bookedMinor: number;
  readonly availableMinor: number;
}

export interface ShownAccounts {
  readonly holder: string;
  readonly customerNumber: string;
  readonly accounts: readonly ShownAccount[];
}

/** The page of accounts. @throws SiteTrouble when it is not exactly as it should be. */
export function readAccounts(session: BrowserSession): Promise<Attempt<ShownAccounts>> {
  return visits.visit(session, "/accounts", async (page) => ok(accountsOf(await look(page))));
}

export function accountsOf(seen: Look): ShownAccounts {
  visits.expectHeading(seen.heading, "Your accounts");
  const [, holder, customerNumber] = HOLDER.exec(seen.note) ?? [];
  if (holder === undefined || customerNumber === undefined)
    throw new SiteTrouble("the bank does not say whose accounts these are");
  const rows = rowsOf(seen, "Accounts and cards", COLUMNS);
  if (rows.length === 0) throw new SiteTrouble("the bank shows no account");
  const accounts = rows.map(({ cells, href }): ShownAccount => {
    const [name = "", kind = "", number = "", balance = "", available = ""] = cells;
    const id = /^\/accounts\/([\w-]{1,64})$/.exec(href)?.[1];
    if (id === undefined) throw new SiteTrouble("the bank shows an account that leads nowhere");
    const booked = printedAmount(balance);
    return {
      id,
      name: shown(name, "account name"),
      kind: Object.hasOwn(KINDS, kind) ? (KINDS[kind] ?? "other") : "other",
      number: shown(number, "account number"),
      currency: booked.currency,
      bookedMinor: booked.minor,
      availableMinor: printedMinor(available, booked.currency),
    };
  });
  return { holder, customerNumber, accounts };
}

/** The end of a number, by which a person knows it. */
export function endingOf(number: string): string {
  return number.replaceAll(" ", "").slice(-4);
}

export const accountsList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "banking.accounts.list",
  async read(_ctx, session) {
    const seen = await readAccounts(session);
    if (!seen.ok) return seen.reason;
    const { holder, accounts } = seen.value;
    const rows = accounts.map((account) => ({
      bank_account_ref: account.id,
      name: account.name,
      kind: account.kind,
      number_ending: endingOf(account.number),
      holder,
      currency: account.currency,
    }));
    return { kind: "done", result: { accounts: rows } };
  },
};

export const balancesList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "banking.balances.list",
  async read(_ctx, session, params) {
    const seen = await readAccounts(session);
    if (!seen.ok) return seen.reason;
    const wanted = params["bank_account_ref"];
    const accounts = seen.value.accounts.filter(({ id }) => wanted === undefined || id === wanted);
    if (accounts.length === 0) return { kind: "gap", why: "the bank has no such account here" };
    const balances = accounts.map((account) => ({
      bank_account_ref: account.id,
      currency: account.currency,
      booked_minor: account.bookedMinor,
      available_minor: account.availableMinor,
    }));
    return { kind: "done", result: { balances } };
  },
};

/** @returns the account with this reference, or a gap. */
export async function accountOf(session: BrowserSession, id: string): Promise<Attempt<ShownAccount>> {
  const seen = await readAccounts(session);
  if (!seen.ok) return seen;
  const found = seen.value.accounts.find((account) => account.id === id);
  return found === undefined ? gap("the bank has no such account here") : ok(found);
}

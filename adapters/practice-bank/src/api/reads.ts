import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, gap, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import type { z } from "zod";
import { PAGES_MAX } from "../shared/limits.ts";
import { accountsShape, balancesShape, bodyOf, payeesShape, rewardsShape, transactionsShape } from "./shapes.ts";

type Reading = ReadAdapter<JsonObject, JsonObject, HttpSession>;
type Transactions = z.infer<typeof transactionsShape>;

const NO_SUCH_ACCOUNT = "the bank has no such account here";

/** One request, one list. */
function list<T>(
  operation: string,
  path: string,
  shape: z.ZodType<T>,
  toResult: (rows: T, params: JsonObject) => Attempt<JsonObject>,
): Reading {
  return {
    effect: "read",
    operation,
    async read(_ctx, session, params) {
      const rows = bodyOf(await session.fetch(path), 200, shape);
      const result = rows.ok ? toResult(rows.value, params) : rows;
      return result.ok ? { kind: "done", result: result.value } : result.reason;
    },
  };
}

/** Those of one account, when one was asked for. */
function ofAccount<T>(rows: readonly T[], params: JsonObject, accountOf: (row: T) => string): Attempt<readonly T[]> {
  const wanted = params["bank_account_ref"];
  if (wanted === undefined) return ok(rows);
  const found = rows.filter((row) => accountOf(row) === wanted);
  return found.length === 0 ? gap(NO_SUCH_ACCOUNT) : ok(found);
}

export const accountsList = list("banking.accounts.list", "/api/v1/accounts", accountsShape, (accounts) =>
  ok({
    accounts: accounts.map((account) => ({
      bank_account_ref: account.id,
      name: account.name,
      kind: account.type,
      number_ending: account.number_ending,
      holder: account.holder,
      currency: account.currency,
    })),
  }),
);

export const balancesList = list("banking.balances.list", "/api/v1/balances", balancesShape, (all, params) => {
  const balances = ofAccount(all, params, ({ account }) => account);
  if (!balances.ok) return balances;
  return ok({
    balances: balances.value.map((balance) => ({
      bank_account_ref: balance.account,
      currency: balance.booked.currency,
      booked_minor: balance.booked.minor,
      available_minor: balance.available.minor,
      ...(balance.credit_line === undefined ? {} : { credit_line_minor: balance.credit_line.minor }),
      stated_at: balance.stated_at,
    })),
  });
});

export const payeesList = list("banking.payees.list", "/api/v1/payees", payeesShape, (payees) =>
  ok({
    payees: payees.map((payee) => ({
      payee_ref: payee.id,
      name: payee.name,
      number_ending: payee.iban.replaceAll(" ", "").slice(-4),
      bank: payee.bank,
      currency: payee.currency,
    })),
  }),
);

export const rewardsList = list("banking.rewards.list", "/api/v1/rewards", rewardsShape, (all, params) => {
  const rewards =
    params["bank_account_ref"] === undefined ? all : all.filter((each) => each.account === params["bank_account_ref"]);
  return ok({
    programs: rewards.map((reward) => ({
      reward_ref: reward.id,
      name: reward.name,
      bank_account_ref: reward.account,
      unit: "points",
      collected_points: reward.points,
      currency: reward.worth.currency,
      worth_minor: reward.worth.minor,
      expires_on: reward.expiring.on,
      expiring_points: reward.expiring.points,
    })),
  });
});

export const transactionsList: Reading = {
  effect: "read",
  operation: "banking.transactions.list",
  async read(_ctx, session, params) {
    const account = String(params["bank_account_ref"]);
    const limit = Number(params["limit"]);
    const accounts = bodyOf(await session.fetch("/api/v1/accounts"), 200, accountsShape);
    if (!accounts.ok) return accounts.reason;
    const found = accounts.value.find(({ id }) => id === account);
    if (found === undefined) return { kind: "gap", why: NO_SUCH_ACCOUNT };
    const walked = await walk(session, account, params, limit);
    if (!walked.ok) return walked.reason;
    const { rows, more } = walked.value;
    const result = {
      bank_account_ref: account,
      currency: found.currency,
      transactions: rows.slice(0, limit).map((row) => rowOf(row, found.currency)),
      more: more || rows.length > limit,
    };
    return { kind: "done", result };
  },
};

/** Page by page, until there are enough rows or no more. */
async function walk(
  session: HttpSession,
  account: string,
  params: JsonObject,
  limit: number,
): Promise<Attempt<{ readonly rows: Transactions["transactions"]; readonly more: boolean }>> {
  const rows: Transactions["transactions"] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = new URLSearchParams();
    for (const name of ["from", "to"]) if (typeof params[name] === "string") query.set(name, params[name]);
    if (after !== undefined) query.set("after", after);
    const path = `/api/v1/accounts/${encodeURIComponent(account)}/transactions?${query}`;
    const answer = bodyOf(await session.fetch(path), 200, transactionsShape);
    if (!answer.ok) return answer;
    rows.push(...answer.value.transactions);
    after = answer.value.next;
    if (after === undefined || rows.length >= limit) return ok({ rows, more: after !== undefined });
  }
  throw new SiteTrouble("the bank's list of transactions does not end");
}

function rowOf(row: Transactions["transactions"][number], currency: string): JsonObject {
  if (row.amount.currency !== currency) throw new SiteTrouble("the bank shows two currencies on one account");
  return {
    transaction_ref: row.id,
    ...(row.booking_date === undefined ? {} : { booked_on: row.booking_date }),
    value_on: row.value_date,
    ...(row.counterparty === "" ? {} : { counterparty: row.counterparty }),
    ...(row.text === "" ? {} : { text: row.text }),
    amount_minor: row.amount.minor,
    ...(row.balance_after === undefined ? {} : { balance_minor: row.balance_after.minor }),
    pending: row.status === "pending",
  };
}

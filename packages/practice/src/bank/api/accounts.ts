import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { dayOf, isDay } from "../days.ts";
import { accountOf, balanceOf, rowsOf } from "../ledger.ts";
import { ACCOUNTS, CUSTOMER_NUMBER, PAYEES, rewardsAt } from "../seed.ts";
import type { BankWorld } from "../world.ts";
import { accountWire, balanceWire, hasScope, payeeWire, refuseBank, rewardWire, rowWire } from "./wire.ts";

/** Rows of one answer; `next` leads to the others. */
const PAGE_ROWS = 40;

/** Lets a handler answer only programs that the person has allowed to read. */
export function reading(handle: (world: BankWorld, exchange: Exchange) => Answer) {
  return (world: BankWorld, exchange: Exchange): Answer =>
    hasScope(world, exchange, "accounts") ? handle(world, exchange) : refuseBank("insufficient_scope");
}

export const showMe = reading((world) => json(200, { name: world.user.name, customer_number: CUSTOMER_NUMBER }));

export const listAccounts = reading((world) =>
  json(200, { accounts: ACCOUNTS.map((account) => accountWire(account, world.user.name)) }),
);

export const listBalances = reading((world) =>
  json(200, { balances: ACCOUNTS.map((account) => balanceWire(balanceOf(world, account), world.now())) }),
);

export const listPayees = reading(() => json(200, { payees: PAYEES.map(payeeWire) }));

export const listRewards = reading((world) => json(200, { rewards: rewardsAt(dayOf(world.now())).map(rewardWire) }));

/** `from` and `to` are days of the value date, both included; `after` is the id that the last page ended with. */
export const listTransactions = reading((world, exchange) => {
  const account = accountOf(exchange.params["account"] ?? "");
  if (account === undefined) return refuseBank("not_found");
  const { searchParams } = exchange.url;
  const from = searchParams.get("from") ?? undefined;
  const to = searchParams.get("to") ?? undefined;
  if ((from !== undefined && !isDay(from)) || (to !== undefined && !isDay(to))) return refuseBank("invalid_request");
  const rows = rowsOf(world, account).filter(
    (row) => (from === undefined || row.valueOn >= from) && (to === undefined || row.valueOn <= to),
  );
  const after = searchParams.get("after");
  const start = after === null ? 0 : rows.findIndex((row) => row.id === after) + 1;
  if (after !== null && start === 0) return refuseBank("invalid_request");
  const page = rows.slice(start, start + PAGE_ROWS);
  const last = page.at(-1);
  const more = start + PAGE_ROWS < rows.length && last !== undefined;
  return json(200, { account: account.id, transactions: page.map(rowWire), ...(more ? { next: last.id } : {}) });
});

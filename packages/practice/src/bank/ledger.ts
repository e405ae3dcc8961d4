import { addDays, dayOf, isDay } from "./days.ts";
import type { Account, Entry, Offer, Payee, Transfer, Wish } from "./model.ts";
import { ACCOUNTS, CURRENCY, OPENING_MINOR, PAYEES } from "./seed.ts";
import type { BankWorld } from "./world.ts";

/** Furthest day for which a transfer can be scheduled. */
const SCHEDULE_DAYS_MAX = 365;
const FEE_MINOR = 50;
export const TEXT_LENGTH_MAX = 140;
export const OWN_REFERENCE_LENGTH_MAX = 35;
const AMOUNT_MINOR_MAX = 5_000_000;

export interface Balance {
  readonly account: Account;
  readonly bookedMinor: number;
  readonly availableMinor: number;
}

export function accountOf(id: string): Account | undefined {
  return ACCOUNTS.find((account) => account.id === id);
}

export function payeeOf(id: string): Payee | undefined {
  return PAYEES.find((payee) => payee.id === id);
}

/** What is on an account: booked entries, and what may be spent of it. */
export function balanceOf(world: BankWorld, account: Account): Balance {
  const entries = world.state.entries.filter((entry) => entry.account === account.id);
  const sum = (some: readonly Entry[]) => some.reduce((minor, entry) => minor + entry.amountMinor, 0);
  const bookedMinor = (OPENING_MINOR[account.id] ?? 0) + sum(entries.filter((entry) => !entry.pending));
  const reservedMinor = sum(entries.filter((entry) => entry.pending));
  return { account, bookedMinor, availableMinor: bookedMinor + reservedMinor + (account.creditLineMinor ?? 0) };
}

export interface Row extends Entry {
  /** On the account after it; what is not booked has none. */
  readonly balanceMinor?: number;
}

/** An account's entries with the balance after each, newest first; what is pending comes before what is booked. */
export function rowsOf(world: BankWorld, account: Account): readonly Row[] {
  const entries = world.state.entries.filter((entry) => entry.account === account.id);
  let balanceMinor = OPENING_MINOR[account.id] ?? 0;
  const booked: Row[] = [];
  const byDay = entries
    .filter((entry) => !entry.pending)
    .toSorted((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));
  for (const entry of byDay) {
    balanceMinor += entry.amountMinor;
    booked.push({ ...entry, balanceMinor });
  }
  return [...entries.filter((entry) => entry.pending), ...booked]
    .toReversed()
    .toSorted((a, b) => Number(b.pending) - Number(a.pending));
}

export type WishProblem =
  | "invalid_request"
  | "unknown_account"
  | "unknown_payee"
  | "currency_not_possible"
  | "date_not_possible"
  | "insufficient_funds";

/** What the bank says of a wish at this moment; its fee is the fee of this moment. */
export function offerOf(world: BankWorld, wish: Wish): Offer | WishProblem {
  const from = accountOf(wish.from);
  if (from === undefined || from.kind === "card") return "unknown_account";
  const payee = payeeOf(wish.payee);
  if (payee === undefined) return "unknown_payee";
  if (payee.currency !== CURRENCY) return "currency_not_possible";
  if (!Number.isSafeInteger(wish.amountMinor) || wish.amountMinor < 1 || wish.amountMinor > AMOUNT_MINOR_MAX)
    return "invalid_request";
  if (wish.text.length > TEXT_LENGTH_MAX || !/^[\w .-]{0,35}$/.test(wish.ownReference)) return "invalid_request";
  const today = dayOf(world.now());
  const executeOn = wish.executeOn ?? today;
  if (!isDay(executeOn) || executeOn < today || executeOn > addDays(today, SCHEDULE_DAYS_MAX))
    return "date_not_possible";
  const feeMinor = Math.max(0, FEE_MINOR + world.switches.feeDeltaMinor());
  const totalMinor = wish.amountMinor + feeMinor;
  const scheduled = executeOn > today;
  if (!scheduled && totalMinor > balanceOf(world, from).availableMinor) return "insufficient_funds";
  return {
    ...wish,
    executeOn,
    currency: CURRENCY,
    feeMinor,
    totalMinor,
    speed: scheduled ? "On the day" : "Next working day",
    status: scheduled ? "scheduled" : "executed",
  };
}

/** Sends or schedules at the fee of this moment, whatever the person saw before. */
export function send(world: BankWorld, offer: Offer, overMinor = 0): Transfer {
  const { state } = world;
  state.lastTransferNumber += 1 + ((world.random(1)[0] ?? 0) % 9);
  const transfer: Transfer = {
    ...offer,
    totalMinor: offer.totalMinor + overMinor,
    number: `TR-${state.lastTransferNumber}`,
    sentAtMs: world.now(),
  };
  state.transfers = [...state.transfers, transfer];
  if (transfer.status === "executed") book(world, transfer);
  return transfer;
}

function book(world: BankWorld, transfer: Transfer): void {
  const { state } = world;
  const on = dayOf(world.now());
  const common = { account: transfer.from, bookedOn: on, valueOn: on, pending: false };
  const feeMinor = transfer.totalMinor - transfer.amountMinor;
  state.entries = [
    ...state.entries,
    {
      ...common,
      id: `${transfer.number}-1`,
      counterparty: payeeOf(transfer.payee)?.name ?? "",
      text: transfer.text === "" ? `Transfer ${transfer.number}` : transfer.text,
      amountMinor: -transfer.amountMinor,
    },
    ...(feeMinor === 0
      ? []
      : [
          {
            ...common,
            id: `${transfer.number}-2`,
            counterparty: "Quayside Bank",
            text: `Fee ${transfer.number}`,
            amountMinor: -feeMinor,
          },
        ]),
  ];
}

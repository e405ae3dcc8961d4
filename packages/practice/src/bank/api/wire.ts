import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import type { Balance, Row } from "../ledger.ts";
import type { Account, Offer, Payee, Reward, Transfer } from "../model.ts";
import { CURRENCY } from "../seed.ts";
import type { BankWorld } from "../world.ts";

/** Every error of the bank's API: its code, HTTP status and a sentence for people, as RFC 9457 problem details. */
const API_ERRORS = {
  invalid_request: [400, "The request is not what this endpoint takes."],
  idempotency_key_missing: [400, "A transfer needs an Idempotency-Key."],
  unauthenticated: [401, "The access token is missing, unknown or has ended."],
  insufficient_scope: [403, "The account holder has not allowed this."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not possible here."],
  quote_expired: [410, "Ask for a new quote."],
  too_large: [413, "The request body is too large."],
  unknown_account: [422, "The account cannot send money."],
  unknown_payee: [422, "There is no such payee."],
  currency_not_possible: [422, "Payees in other currencies cannot be paid here."],
  date_not_possible: [422, "The transfer cannot be made on this day."],
  insufficient_funds: [422, "There is not enough on the account. Nothing was sent."],
  transfer_refused: [422, "The transfer was refused by the bank's checks. Nothing was sent."],
  idempotency_key_reused: [422, "This key was used for another request."],
  temporarily_unavailable: [503, "Not available at the moment."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type BankApiError = keyof typeof API_ERRORS;

export function refuseBank(error: BankApiError): Answer {
  const [status, detail] = API_ERRORS[error];
  const challenge: Readonly<Record<string, string>> =
    error === "unauthenticated"
      ? { "www-authenticate": 'Bearer error="invalid_token"' }
      : error === "insufficient_scope"
        ? { "www-authenticate": 'Bearer error="insufficient_scope"' }
        : {};
  return json(
    status,
    { type: `urn:quayside:${error}`, title: detail, status },
    { "content-type": "application/problem+json", ...challenge },
  );
}

export function bankBearerOf(exchange: Exchange): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(exchange.headers.authorization ?? "")?.[1];
}

export function bankApiSignedIn(world: BankWorld, exchange: Exchange): boolean {
  const token = bankBearerOf(exchange);
  return token !== undefined && world.state.accessTokens.get(token, world.now())?.alive === true;
}

/** Whether the person has allowed the program this much. */
export function hasScope(world: BankWorld, exchange: Exchange, scope: string): boolean {
  const family = world.state.accessTokens.get(bankBearerOf(exchange) ?? "", world.now());
  return family?.scope.split(" ").includes(scope) ?? false;
}

/** Amounts are decimal strings with their currency beside them: another habit than the shop's. */
export function amountWire(minor: number) {
  const sign = minor < 0 ? "-" : "";
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return { value: `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency: CURRENCY };
}

/** The end of a number, by which a person knows it. */
export function endingOf(number: string): string {
  return number.replaceAll(" ", "").slice(-4);
}

export function accountWire(account: Account, holder: string) {
  return {
    id: account.id,
    name: account.name,
    type: account.kind,
    number_ending: endingOf(account.number),
    holder,
    currency: CURRENCY,
  };
}

export function balanceWire(balance: Balance, atMs: number) {
  const { account, bookedMinor, availableMinor } = balance;
  return {
    account: account.id,
    booked: amountWire(bookedMinor),
    available: amountWire(availableMinor),
    ...(account.creditLineMinor === undefined ? {} : { credit_line: amountWire(account.creditLineMinor) }),
    stated_at: new Date(atMs).toISOString(),
  };
}

export function rowWire(row: Row) {
  return {
    id: row.id,
    status: row.pending ? "pending" : "booked",
    ...(row.pending ? {} : { booking_date: row.bookedOn }),
    value_date: row.valueOn,
    counterparty: row.counterparty,
    text: row.text,
    amount: amountWire(row.amountMinor),
    ...(row.balanceMinor === undefined ? {} : { balance_after: amountWire(row.balanceMinor) }),
  };
}

export function payeeWire(payee: Payee) {
  return { id: payee.id, name: payee.name, iban: payee.number, bank: payee.bank, currency: payee.currency };
}

export function rewardWire(reward: Reward) {
  return {
    id: reward.id,
    name: reward.name,
    account: reward.account,
    points: reward.points,
    worth: amountWire(reward.worthMinor),
    expiring: { points: reward.expiringPoints, on: reward.expiresOn },
  };
}

export function offerWire(offer: Offer, account: Account, payee: Payee) {
  return {
    from: { id: account.id, name: account.name, number_ending: endingOf(account.number) },
    payee: { ...payeeWire(payee), name_check: payee.nameCheck },
    amount: amountWire(offer.amountMinor),
    fee: amountWire(offer.feeMinor),
    total: amountWire(offer.totalMinor),
    text: offer.text,
    execute_on: offer.executeOn,
    speed: offer.speed,
  };
}

export function transferWire(transfer: Transfer) {
  return {
    number: transfer.number,
    status: transfer.status,
    sent_at: new Date(transfer.sentAtMs).toISOString(),
    from: transfer.from,
    payee: transfer.payee,
    amount: amountWire(transfer.amountMinor),
    total: amountWire(transfer.totalMinor),
    text: transfer.text,
    own_reference: transfer.ownReference,
    execute_on: transfer.executeOn,
  };
}

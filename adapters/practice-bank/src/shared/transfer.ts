import { assert, currencyDigits, type JsonObject, must, type Observed } from "@countersign/plugin/site";

/** What `banking.transfer.submit` asks for, as the catalogue has validated it. */
export interface TransferWish {
  readonly fromRef: string;
  readonly payeeRef: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Empty when there is none. */
  readonly text: string;
  readonly executeOn?: string;
}

export function transferWish(parameters: JsonObject): TransferWish {
  const { from_ref: fromRef, payee_ref: payeeRef, amount_minor: amountMinor, currency } = parameters;
  const { payment_text: text = "", execute_on: executeOn } = parameters;
  assert(typeof fromRef === "string" && typeof payeeRef === "string", "parameters are as the catalogue says");
  assert(typeof amountMinor === "number" && typeof currency === "string", "parameters are as the catalogue says");
  assert(typeof text === "string", "parameters are as the catalogue says");
  return {
    fromRef,
    payeeRef,
    amountMinor,
    currency,
    text,
    ...(typeof executeOn === "string" ? { executeOn } : {}),
  };
}

/** The bank's last screen before a transfer, by whichever route it was read. */
export interface TransferOffer {
  readonly from: { readonly id: string; readonly name: string; readonly ending: string };
  readonly payee: { readonly id: string; readonly name: string; readonly number: string; readonly nameCheck: string };
  readonly currency: string;
  readonly amountMinor: number;
  readonly feeMinor: number;
  readonly totalMinor: number;
  /** Empty when there is none. */
  readonly text: string;
  readonly executeOn: string;
  readonly speed: string;
}

/** The terms of `banking.transfer.submit` as the bank shows them; who is paid is personal text. */
export function transferTerms(origin: string, offer: TransferOffer): Observed<JsonObject> {
  const { from, payee, currency } = offer;
  return {
    terms: {
      bank: new URL(origin).host,
      from_ref: from.id,
      from_account: `${from.name}, ending ${from.ending}`,
      payee_ref: payee.id,
      name_check: payee.nameCheck,
      currency,
      minor_digits: must(currencyDigits(currency), "currency"),
      amount_minor: offer.amountMinor,
      fee_minor: offer.feeMinor,
      total_minor: offer.totalMinor,
      speed: offer.speed,
      execute_on: offer.executeOn,
      ...(offer.text === "" ? {} : { payment_text: offer.text }),
    },
    personal: { payee_name: payee.name, payee_account: payee.number },
  };
}

/** What the bank shows of a transfer that it has. */
export interface SentTransfer {
  readonly number: string;
  readonly status: "executed" | "accepted" | "scheduled";
  readonly currency: string;
  readonly totalMinor: number;
  readonly executeOn: string;
}

export const TRANSFER_NUMBER = /^TR-[0-9]{1,12}$/;

export function confirmationOf(sent: SentTransfer) {
  const { number, status, currency, totalMinor, executeOn } = sent;
  return {
    confirmation: number,
    result: { transfer_ref: number, currency, total_minor: totalMinor, status, execute_on: executeOn },
    observed: { currency, total_minor: totalMinor },
  };
}

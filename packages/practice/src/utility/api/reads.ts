import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { contractOf, openCents } from "../account.ts";
import { isDay } from "../days.ts";
import type { ApiKey } from "../model.ts";
import { CONTRACTS, CURRENCY, METHODS, PLANS, UTILITY_CUSTOMER_NUMBER } from "../seed.ts";
import type { UtilityWorld } from "../world.ts";
import { billWire, changeWire, contractWire, paymentWire, planWire, readingWire, refuseUtility } from "./wire.ts";

/** Rows of one page; `pages` says how many there are. */
const PAGE_ROWS = 6;

/** One page of a list, by `?page=`. */
function paged<T>(exchange: Exchange, rows: readonly T[], name: string, wire: (row: T) => unknown): Answer {
  const asked = exchange.url.searchParams.get("page") ?? "1";
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const page = Number(asked);
  if (!/^[1-9]\d{0,3}$/.test(asked) || page > pages) return refuseUtility("invalid_request");
  const shown = rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  return json(200, { currency: CURRENCY, page, pages, [name]: shown.map(wire) });
}

/** The contract that is asked for by `?contract=`; `unknown` when there is none such. */
function wantedContract(exchange: Exchange): string | undefined | "unknown" {
  const asked = exchange.url.searchParams.get("contract");
  if (asked === null) return undefined;
  return contractOf(asked)?.id ?? "unknown";
}

export function showCustomer(world: UtilityWorld): Answer {
  return json(200, {
    name: world.user.name,
    customer_number: UTILITY_CUSTOMER_NUMBER,
    currency: CURRENCY,
    preset_method: world.state.preset,
    payment_methods: METHODS.map(({ id, label, feeCents }) => ({
      id,
      label,
      fee_cents: Math.max(0, feeCents + world.switches.feeDeltaCents()),
    })),
  });
}

export function listContracts(world: UtilityWorld): Answer {
  return json(200, { currency: CURRENCY, contracts: CONTRACTS.map((each) => contractWire(world, each)) });
}

export function listPlans(_world: UtilityWorld, exchange: Exchange): Answer {
  const contract = contractOf(exchange.params["contract"] ?? "");
  if (contract === undefined) return refuseUtility("not_found");
  return json(200, { currency: CURRENCY, plans: PLANS.filter(({ kind }) => kind === contract.kind).map(planWire) });
}

export function listBills(world: UtilityWorld, exchange: Exchange): Answer {
  const contract = wantedContract(exchange);
  if (contract === "unknown") return refuseUtility("unknown_contract");
  const toPay = exchange.url.searchParams.get("show") === "to_pay";
  const bills = world.state.bills.filter(
    (bill) => (contract === undefined || bill.contract === contract) && (!toPay || openCents(world, bill) > 0),
  );
  return paged(exchange, bills, "bills", (bill) => billWire(world, bill));
}

export function showBill(world: UtilityWorld, exchange: Exchange): Answer {
  const bill = world.state.bills.find(({ id }) => id === exchange.params["bill"]);
  return bill === undefined ? refuseUtility("not_found") : json(200, { currency: CURRENCY, ...billWire(world, bill) });
}

/** `from` and `to` are days, both included; a month that reaches into them is listed. */
export function listUsage(world: UtilityWorld, exchange: Exchange): Answer {
  const contract = wantedContract(exchange);
  if (contract === "unknown") return refuseUtility("unknown_contract");
  const { searchParams } = exchange.url;
  const [from, to] = [searchParams.get("from"), searchParams.get("to")];
  if ([from, to].some((day) => day !== null && !isDay(day))) return refuseUtility("invalid_request");
  const rows = world.state.readings.filter(
    (each) =>
      (contract === undefined || each.contract === contract) &&
      (from === null || each.to >= from) &&
      (to === null || each.from <= to),
  );
  return paged(exchange, rows, "usage", readingWire);
}

/** Newest first; `reference` narrows to those that the person marked so. */
export function listPayments(world: UtilityWorld, exchange: Exchange): Answer {
  const reference = exchange.url.searchParams.get("reference");
  const rows = world.state.payments.toReversed().filter((each) => reference === null || each.reference === reference);
  return paged(exchange, rows, "payments", paymentWire);
}

export function showPayment(world: UtilityWorld, exchange: Exchange): Answer {
  const payment = world.state.payments.find(({ number }) => number === exchange.params["number"]);
  return payment === undefined ? refuseUtility("not_found") : json(200, paymentWire(payment));
}

export function listChanges(world: UtilityWorld, exchange: Exchange): Answer {
  const reference = exchange.url.searchParams.get("reference");
  const rows = world.state.changes
    .toReversed()
    .filter((each) => reference === null || each.offer.reference === reference);
  return paged(exchange, rows, "changes", changeWire);
}

/** What the settings show of a key: never the key. */
export function keyWire({ id, name, ending, madeAtMs }: ApiKey) {
  return { id, name, ending, made_at: new Date(madeAtMs).toISOString() };
}

export function listKeys(world: UtilityWorld): Answer {
  return json(200, { keys: world.state.keys.map(keyWire) });
}

import { currencyDigits, formatInstant, type Instant, type Json, type JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "./catalogue.ts";
import type { CommitOperation } from "./model.ts";
import { bankingTransactionsList } from "./operations/banking.transactions.list.ts";
import { bankingTransferSubmit } from "./operations/banking.transfer.submit.ts";
import { healthcareAppointmentBook } from "./operations/healthcare.appointment.book.ts";
import { insuranceClaimSubmit } from "./operations/insurance.claim.submit.ts";
import { retailDealWatch } from "./operations/retail.deal.watch.ts";
import { retailOrderCancel } from "./operations/retail.order.cancel.ts";
import { subscriptionPlanChange } from "./operations/subscription.plan.change.ts";
import { utilitiesAutopaySet } from "./operations/utilities.autopay.set.ts";
import { utilitiesBillPay } from "./operations/utilities.bill.pay.ts";
import { utilitiesUsageList } from "./operations/utilities.usage.list.ts";
import { sumsThatDisagree } from "./sums.ts";

const commits = OPERATIONS.filter((o): o is CommitOperation => o.effect === "commit");
const eachCommit = commits.map((o) => [o.id, o] as const);

/** What nobody is asked about: every word that terms and request, or terms and terms, do not agree. */
function found(operation: CommitOperation, asked: JsonObject, terms: JsonObject): readonly string[] {
  return [...operation.contradictions(asked, terms), ...sumsThatDisagree(operation.meaning, terms)];
}

const withTerms = (operation: CommitOperation, change: JsonObject): readonly string[] =>
  found(operation, operation.example.parameters, { ...operation.example.terms, ...change });

/** Another value of the same sort that the schema takes. */
function another(operation: CommitOperation, member: string, value: Json): Json | undefined {
  const candidates: readonly Json[] = [
    ...(typeof value === "number" ? [value + 1] : ["another", "2031-03-04", "2031-03-04T05:06:07Z", "USD", "off"]),
    "email",
    "phone",
    "home",
    "on",
  ];
  const terms = operation.example.terms ?? {};
  return candidates.find(
    (other) => other !== value && operation.terms.safeParse({ ...terms, [member]: other }).success,
  );
}

describe("APR-1 (U27) every operation", () => {
  it.each(eachCommit)("%s: what its example says agrees", (_id, operation) => {
    expect(withTerms(operation, {})).toEqual([]);
  });

  it.each(eachCommit)("%s: terms about something else than was asked for are put to nobody", (_id, operation) => {
    const { parameters, terms = {} } = operation.example;
    const repeated = Object.keys(parameters).filter((member) => terms[member] !== undefined);
    expect(repeated.length).toBeGreaterThan(0);
    for (const member of repeated) {
      const value = another(operation, member, terms[member] ?? null);
      expect(value, `another ${member}`).toBeDefined();
      expect(withTerms(operation, { [member]: value ?? null }), member).toContain(member);
    }
  });

  it.each(eachCommit.filter(([, o]) => o.meaning.sums !== undefined))(
    "%s: no amount that belongs to a sum moves alone, by however little",
    (_id, operation) => {
      const { terms = {} } = operation.example;
      const members = (operation.meaning.sums ?? []).flatMap((sum) => [
        sum.total,
        ...("members" in sum ? sum.members : []),
      ]);
      fc.assert(
        fc.property(fc.constantFrom(...members), fc.integer({ min: -9999, max: 9999 }), (member, by) => {
          const moved = Number(terms[member]) + by;
          fc.pre(operation.terms.safeParse({ ...terms, [member]: moved }).success);
          expect(withTerms(operation, { [member]: moved }).length > 0).toBe(by !== 0);
        }),
      );
    },
  );

  it.each(eachCommit.filter(([, o]) => o.example.terms?.["minor_digits"] !== undefined))(
    "REQ-1 (U55) %s: the digits are those of the currency",
    (_id, operation) => {
      fc.assert(
        fc.property(
          fc.constantFrom("EUR", "JPY", "KWD", "CLF", "USD"),
          fc.integer({ min: 0, max: 4 }),
          (currency, digits) => {
            const known = currencyDigits(currency);
            const asked = { ...operation.example.parameters, currency };
            const terms = { ...operation.example.terms, currency, minor_digits: digits };
            const right = known.ok && known.value === digits;
            expect(found(operation, asked, terms).includes("minor_digits")).toBe(!right);
          },
        ),
      );
    },
  );
});

describe("APR-1 what only one operation can get wrong", () => {
  it.each<[string, CommitOperation, JsonObject, string]>([
    ["a payment above what is open", utilitiesBillPay, { open_minor: 8639 }, "amount_minor"],
    ["more borne than claimed", insuranceClaimSubmit, { deductible_minor: 84_001 }, "deductible_minor"],
    ["a document that nobody named", insuranceClaimSubmit, { documents: [{ ref: "doc_82", title: "X" }] }, "documents"],
    ["a document left out", insuranceClaimSubmit, { documents: [] }, "documents"],
    [
      "a plan that binds only until before it begins",
      subscriptionPlanChange,
      { bound_ends_on: "2026-12-30" },
      "bound_ends_on",
    ],
    [
      "payment by itself without what is charged",
      utilitiesAutopaySet,
      { instrument: undefined as never },
      "instrument",
    ],
    [
      "an appointment before the window",
      healthcareAppointmentBook,
      { starts_at: "2026-12-07T07:59:59+01:00" },
      "starts_at",
    ],
    [
      "an appointment that ends after it",
      healthcareAppointmentBook,
      { ends_at: "2026-12-11T18:00:01+01:00" },
      "ends_at",
    ],
    [
      "an appointment that ends before it begins",
      healthcareAppointmentBook,
      { ends_at: "2026-12-08T08:00:00Z" },
      "ends_at",
    ],
    [
      "free to call off only after it began",
      healthcareAppointmentBook,
      { cancel_ends_at: "2026-12-08T08:20:01Z" },
      "cancel_ends_at",
    ],
  ])("%s", (_name, operation, change, member) => {
    const terms = { ...operation.example.terms, ...change };
    const stripped = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined)) as JsonObject;
    expect(operation.contradictions(operation.example.parameters, stripped)).toContain(member);
  });

  it("a text for the payee that nobody asked for", () => {
    const { payment_text: _, ...asked } = bankingTransferSubmit.example.parameters;
    expect(found(bankingTransferSubmit, asked, bankingTransferSubmit.example.terms ?? {})).toEqual(["payment_text"]);
  });

  it("a plan that begins earlier than asked, and not one that begins later", () => {
    const { parameters, terms = {} } = subscriptionPlanChange.example;
    const on = (not_before: string) => found(subscriptionPlanChange, { ...parameters, not_before }, terms);
    expect([on("2027-01-01"), on("2026-12-31"), on("2026-12-01")]).toEqual([["starts_on"], [], []]);
  });

  it("ending automatic payment where there is none is nothing to decide", () => {
    const asked = { contract_ref: "ct_7", autopay: "off" };
    const terms = { provider: "power.example", contract_ref: "ct_7", contract: "Electricity", autopay: "off" };
    expect(found(utilitiesAutopaySet, asked, { ...terms, present_autopay: "off" })).toEqual(["present_autopay"]);
    expect(found(utilitiesAutopaySet, asked, { ...terms, present_autopay: "on" })).toEqual([]);
  });

  it("U54 an appointment's window is one of instants, whatever the offsets", () => {
    const { parameters, terms = {} } = healthcareAppointmentBook.example;
    const opens = Date.parse("2026-12-07T07:00:00Z");
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(fc.integer({ min: -86_400, max: 4 * 86_400 }), offsets, (seconds, minutes) => {
        const at = opens + seconds * 1000;
        const { ends_at: _ends, cancel_ends_at: _free, ...bare } = terms;
        const seen = { ...bare, starts_at: withOffset(at, minutes) };
        const within = at >= opens && at <= Date.parse("2026-12-11T17:00:00Z");
        expect(found(healthcareAppointmentBook, parameters, seen)).toEqual(
          within ? [] : [at < opens ? "starts_at" : "ends_at"],
        );
      }),
    );
  });

  it("what a shop keeps and what comes back are all of what was paid", () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 0, max: 3 }), (refund, kept, off) => {
        const change = { refund_minor: refund, kept_minor: kept, paid_minor: refund + kept + off };
        expect(withTerms(retailOrderCancel, change).includes("paid_minor")).toBe(off !== 0);
      }),
    );
  });
});

describe("REQ-3 what a request or a result cannot say", () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));

  it("days run forwards", () => {
    fc.assert(
      fc.property(day, day, (from, to) => {
        const asked = { bank_account_ref: "ba_1", from, to };
        expect(bankingTransactionsList.parameters.safeParse(asked).success).toBe(from <= to);
        expect(utilitiesUsageList.parameters.safeParse({ from, to }).success).toBe(from <= to);
      }),
    );
  });

  it.each(["2026-02-30", "2026-13-01", "2026-1-1", "20261201", "2026-12-01T00:00:00Z", ""])(
    "U54 %j is no day",
    (from) => {
      expect(bankingTransactionsList.parameters.safeParse({ bank_account_ref: "ba_1", from }).success).toBe(false);
    },
  );

  it.each(["2026-12-08T09:20:00", "2026-12-08", "08.12.2026 09:20", "2026-02-30T09:20:00Z"])(
    "U54 %j is no time of an appointment",
    (at) => {
      const { parameters, terms } = healthcareAppointmentBook.example;
      expect(healthcareAppointmentBook.parameters.safeParse({ ...parameters, earliest_at: at }).success).toBe(false);
      expect(healthcareAppointmentBook.terms.safeParse({ ...terms, starts_at: at }).success).toBe(false);
    },
  );

  it("U55 what was used is decimal digits, never a number and never of two readings", () => {
    const [row = {}] = utilitiesUsageList.example.result["usage"] as readonly JsonObject[];
    const taken = (used: Json) => utilitiesUsageList.result.safeParse({ usage: [{ ...row, used }] }).success;
    for (const good of ["0", "241.7", "0.000001", "999999999999"]) expect(taken(good), good).toBe(true);
    for (const bad of [241.7, "1,234", "1.234,5", "01", ".5", "5.", "-1", "1e3", "NaN", "0.0000001", ""])
      expect(taken(bad), String(bad)).toBe(false);
  });

  it("U55 an amount without its currency, or in text, is refused in every result that has one", () => {
    for (const { id, result, example } of OPERATIONS) {
      const bare = JSON.stringify(example.result);
      if (!bare.includes("_minor")) continue;
      const noCurrency: unknown = JSON.parse(bare.replaceAll(/"currency":"EUR",?/g, ""));
      expect(result.safeParse(noCurrency).success, id).toBe(false);
      const inText: unknown = JSON.parse(bare.replaceAll(/("[a-z_]+_minor"):(-?\d+)/g, '$1:"$2"'));
      expect(result.safeParse(inText).success, id).toBe(false);
    }
  });

  it("a deal that is met can be had, at a price", () => {
    const { result } = retailDealWatch.example;
    const { price_minor: _price, ...priceless } = result;
    expect(retailDealWatch.result.safeParse(priceless).success).toBe(false);
    expect(retailDealWatch.result.safeParse({ ...result, available: false }).success).toBe(false);
    expect(retailDealWatch.result.safeParse({ ...priceless, met: false }).success).toBe(true);
  });

  it("autopay that ends names nothing to charge; an account number cannot be typed in for a payee", () => {
    const off = { contract_ref: "ct_7", autopay: "off", instrument_ref: "pi_1" };
    expect(utilitiesAutopaySet.parameters.safeParse(off).success).toBe(false);
    const asked = bankingTransferSubmit.example.parameters;
    expect(bankingTransferSubmit.parameters.safeParse({ ...asked, iban: "DE89370400440532013000" }).success).toBe(
      false,
    );
    for (const text of ["x".repeat(141), "two\nlines", "\u202eevil", " led by a space", ""])
      expect(bankingTransferSubmit.parameters.safeParse({ ...asked, payment_text: text }).success, text).toBe(false);
  });
});

function withOffset(at: number, minutes: number): string {
  const local = formatInstant((at + minutes * 60_000) as Instant).slice(0, -1);
  const size = Math.abs(minutes);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${local}${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

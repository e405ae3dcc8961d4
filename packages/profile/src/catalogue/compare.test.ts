import type { JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "./catalogue.ts";
import { underCeiling } from "./ceiling.ts";
import { comparePersonal, compareTerms } from "./compare.ts";
import type { CommitOperation } from "./model.ts";
import { retailOrderSubmit } from "./operations/retail.order.submit.ts";
import { subscriptionCancel } from "./operations/subscription.cancel.ts";

const terms = retailOrderSubmit.example.terms ?? {};
const { meaning } = retailOrderSubmit;

const lines = terms["lines"] as readonly JsonObject[];
const [item = {}, delivery = {}] = lines;
const withTerm = (members: JsonObject): JsonObject => ({ ...terms, ...members });
const withLine = (at: number, members: JsonObject): JsonObject =>
  withTerm({ lines: lines.map((line, index) => (index === at ? { ...line, ...members } : line)) });

describe("terms at the boundary", () => {
  it("APR-4 equal terms hold", () => {
    expect(compareTerms(meaning, terms, structuredClone(terms))).toEqual({ holds: true, breaks: [], lower: [] });
  });

  it.each([
    ["a higher total", withTerm({ total_minor: 4991 })],
    ["another currency with the same number", withTerm({ currency: "USD" })],
    ["another payee", withTerm({ payee: "sh0p.example" })],
    ["another item", withLine(0, { ref: "TL-300" })],
    ["another title", withLine(0, { title: "Trail Lamp 2000" })],
    ["another quantity", withLine(0, { quantity: 2 })],
    ["a higher price of one line", withLine(0, { unit_minor: 4491 })],
    [
      "one line more",
      withTerm({ lines: [...lines, { kind: "fee", ref: "f", title: "Fee", quantity: 1, unit_minor: 0 }] }),
    ],
    ["one line less", withTerm({ lines: [item] })],
    ["the same line twice", withTerm({ lines: [...lines, item] })],
    ["another instrument", withTerm({ instrument: "card ending 1881" })],
    ["another delivery", withTerm({ fulfillment_ref: "elsewhere" })],
    ["a note that was not there", withTerm({ note: "leave it with a neighbour" })],
    ["a member that the catalogue does not know", withTerm({ subscription: true })],
    ["a member in a line that the catalogue does not know", withLine(0, { gift: true })],
    ["lines that are no list", withTerm({ lines: "none" })],
  ])("APR-4 %s asks again", (_name, observed) => {
    expect(compareTerms(meaning, terms, observed).holds).toBe(false);
  });

  it("APR-4 lower amounts hold and are reported", () => {
    const observed = withTerm({ total_minor: 4890, lines: [item, { ...delivery, unit_minor: 400 }] });
    const comparison = compareTerms(meaning, terms, observed);
    expect(comparison.holds).toBe(true);
    expect(comparison.lower.map((d) => d.path)).toEqual(["total_minor", "lines/1/unit_minor"]);
  });

  it('APR-4 `1`, `"1"` and `true` are three different things', () => {
    for (const value of ["4990", true, 4990.5]) {
      expect(compareTerms(meaning, terms, withTerm({ total_minor: value })).holds).toBe(false);
    }
  });

  it("APR-4 no single changed member of any operation passes, unless it is a lower amount or only informative", () => {
    const commits = OPERATIONS.filter((o): o is CommitOperation => o.effect === "commit");
    fc.assert(
      fc.property(fc.constantFrom(...commits), fc.nat(), fc.jsonValue(), (operation, pick, value) => {
        const approved = operation.example.terms ?? {};
        const members = Object.keys(approved);
        const member = members[pick % members.length] ?? "";
        const observed = { ...approved, [member]: value } as JsonObject;
        const field = operation.meaning.fields.find((f) => f.member === member);
        const before = approved[member];
        const lower =
          field?.compare === "not_above" &&
          typeof before === "number" &&
          typeof value === "number" &&
          Number.isSafeInteger(value) &&
          value <= before;
        const equal = JSON.stringify(value) === JSON.stringify(before);
        expect(compareTerms(operation.meaning, approved, observed).holds).toBe(lower || equal);
      }),
    );
  });

  it("APR-2 personal text is material", () => {
    expect(comparePersonal(meaning, { ship_to: "12 Sample Street" }, { ship_to: "12 Sample Street" })).toEqual([]);
    expect(comparePersonal(meaning, { ship_to: "12 Sample Street" }, { ship_to: "13 Sample Street" })).toHaveLength(1);
    expect(comparePersonal(meaning, { ship_to: "12 Sample Street" }, {})).toHaveLength(1);
    expect(comparePersonal(meaning, {}, { gift_for: "somebody" })).toHaveLength(1);
  });
});

describe("amounts and items before anybody is asked", () => {
  const asked = retailOrderSubmit.example.parameters;
  it.each([
    ["a total that is not the sum", withTerm({ total_minor: 4989 }), "total_minor"],
    ["a negative price", withLine(1, { unit_minor: -500 }), "lines/1/unit_minor"],
    ["wrong digits for the currency", withTerm({ minor_digits: 0 }), "minor_digits"],
    ["another item than asked for", withLine(0, { ref: "TL-300" }), "lines"],
    ["another quantity than asked for", withLine(0, { quantity: 2 }), "lines/quantity"],
    ["another currency than asked for", withTerm({ currency: "USD" }), "currency"],
    ["another delivery than asked for", withTerm({ fulfillment_ref: "x" }), "fulfillment_ref"],
  ])("APR-1 (U27) %s is a contradiction", (_name, observed, member) => {
    expect(retailOrderSubmit.contradictions(asked, observed)).toContain(member);
  });

  it("REQ-8 the request's own maximum is a ceiling in its own currency", () => {
    const { ceiling } = retailOrderSubmit;
    if (ceiling === undefined) throw new Error("an order has a ceiling");
    expect(underCeiling(ceiling, { ...asked, max_total_minor: 4990 }, terms)).toBe("within");
    expect(underCeiling(ceiling, { ...asked, max_total_minor: 4989 }, terms)).toBe("over_limit");
    expect(underCeiling(ceiling, { ...asked, currency: "USD" }, terms)).toBe("other_currency");
  });

  it("a cancellation that ends before the asked day contradicts the request", () => {
    const seen = subscriptionCancel.example.terms ?? {};
    expect(
      subscriptionCancel.contradictions({ subscription_ref: "membership", not_before: "2027-01-01" }, seen),
    ).toEqual(["ends_on"]);
    expect(subscriptionCancel.contradictions({ subscription_ref: "other" }, seen)).toEqual(["subscription_ref"]);
  });
});

describe("the catalogue", () => {
  it.each(OPERATIONS.map((o) => [o.id, o] as const))(
    "REQ-3 the example of %s validates and agrees with itself",
    (_id, operation) => {
      const parameters = operation.parameters.parse(operation.example.parameters);
      operation.result.parse(operation.example.result);
      if (operation.effect === "commit") {
        expect(operation.contradictions(parameters, operation.terms.parse(operation.example.terms))).toEqual([]);
        const named = [...operation.meaning.fields, ...operation.meaning.lists].map((f) => f.member);
        expect(Object.keys(operation.example.terms ?? {}).filter((m) => !named.includes(m))).toEqual([]);
        expect(operation.meaning.receipt.filter((m) => !named.includes(m))).toEqual([]);
      }
    },
  );

  it.each([true, "1", 1.5, 0, -1, 10_001])("REQ-3 (U19) quantity %j is refused", (quantity) => {
    expect(retailOrderSubmit.parameters.safeParse({ ...retailOrderSubmit.example.parameters, quantity }).success).toBe(
      false,
    );
  });

  it.each(["7500", 7500.5, -1, 2 ** 53])("REQ-1 (U55) max_total_minor %j is refused", (max) => {
    expect(
      retailOrderSubmit.parameters.safeParse({ ...retailOrderSubmit.example.parameters, max_total_minor: max }).success,
    ).toBe(false);
  });

  it.each(["XXY", "usd", "", "US"])("REQ-1 (U55) currency %j is refused", (currency) => {
    expect(retailOrderSubmit.parameters.safeParse({ ...retailOrderSubmit.example.parameters, currency }).success).toBe(
      false,
    );
  });
});

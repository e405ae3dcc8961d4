import { retailOrderSubmit } from "@countersign/profile";
import { plainText } from "@countersign/wire";
import { expect, it } from "vitest";
import { ORDER_TERMS } from "../../test/fake/records.ts";
import { changesBetween, personalChanges } from "./changes.ts";

const { meaning } = retailOrderSubmit;
const line = (title: string, unitMinor: number) => ({
  kind: "item",
  ref: "TL-200",
  title,
  quantity: 1,
  unit_minor: unitMinor,
});

it("APR-4 shows both sides of each thing that moved, in money and in words", () => {
  const before = { ...ORDER_TERMS, total_minor: 4490, lines: [line("Trail Lamp 200", 4490)] };
  const now = { ...ORDER_TERMS, payee: "other.example", total_minor: 4990, lines: [line("Trail Lamp 200", 4990)] };
  const shown = changesBetween(meaning, before, now).map((c) => [
    c.label,
    c.before && plainText(c.before.segments),
    c.now && plainText(c.now.segments),
    c.row && plainText(c.row.segments),
    c.difference,
  ]);
  const dearer = { kind: "dearer", amount: "5.00 EUR" };
  expect(shown).toEqual([
    ["Total charged", "44.90 EUR", "49.90 EUR", undefined, dearer],
    ["Pay to", "shop.example", "other.example", undefined, undefined],
    ["Each", "44.90 EUR", "49.90 EUR", "Trail Lamp 200", dearer],
  ]);
  const back = changesBetween(meaning, now, before).find((c) => c.path === "total_minor");
  expect(back?.difference).toEqual({ kind: "cheaper", amount: "5.00 EUR" });
});

it("names a row that came, and says of a member that went where it was", () => {
  const { instrument: _gone, ...now } = { ...ORDER_TERMS };
  const more = [...(now["lines"] as object[]), { ...line("Insurance", 100), ref: "INS" }] as never;
  const changes = changesBetween(meaning, ORDER_TERMS, { ...now, lines: more });
  expect(changes.map((c) => [c.label, c.row && plainText(c.row.segments), c.whole])).toEqual([
    ["Pay with", undefined, undefined],
    ["What is bought", "Insurance", "came"],
  ]);
  expect(
    changesBetween(meaning, { ...now, lines: more }, now).map((c) => [c.row && plainText(c.row.segments), c.whole]),
  ).toEqual([["Insurance", "went"]]);
  const twice = [...(now["lines"] as object[]), ...(now["lines"] as object[])] as never;
  expect(changesBetween(meaning, now, { ...now, lines: twice }).map((c) => c.label)).toEqual(["What is bought"]);
  const went = changes.find((c) => c.label === "Pay with");
  expect(went?.before && plainText(went.before.segments)).toBe("card ending 4242");
  expect(went?.now).toBeUndefined();
});

it("is empty where nothing moved", () => {
  expect(changesBetween(meaning, ORDER_TERMS, ORDER_TERMS)).toEqual([]);
});

it("says no difference between amounts of two currencies", () => {
  const before = { ...ORDER_TERMS, currency: "USD", total_minor: 4490 };
  const change = changesBetween(meaning, before, ORDER_TERMS).find((c) => c.path === "total_minor");
  expect(change?.difference).toBeUndefined();
});

it("APR-4 another address is a change, though records hold its digest alone", () => {
  const changes = personalChanges(meaning, { ship_to: "1 Long Lane" }, { ship_to: "2 Long\u202eLane" });
  expect(changes).toHaveLength(1);
  expect(changes[0]?.label).toBe("Deliver to");
  expect(plainText(changes[0]?.now?.segments ?? [])).toBe("2 Long[U+202E]Lane");
  expect(personalChanges(meaning, { ship_to: "x" }, { ship_to: "x" })).toEqual([]);
});

import { retailOrderSubmit } from "@countersign/profile";
import { plainText } from "@countersign/wire";
import { expect, it } from "vitest";
import { ORDER_TERMS } from "../../test/fake/records.ts";
import { changesBetween } from "./changes.ts";

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
  ]);
  expect(shown).toEqual([
    ["Total charged", "44.90 EUR", "49.90 EUR"],
    ["Pay to", "shop.example", "other.example"],
    ["Trail Lamp 200: Each", "44.90 EUR", "49.90 EUR"],
  ]);
});

it("names a row that came, and says of a member that went where it was", () => {
  const { instrument: _gone, ...now } = { ...ORDER_TERMS };
  const more = [...(now["lines"] as object[]), { ...line("Insurance", 100), ref: "INS" }] as never;
  const changes = changesBetween(meaning, ORDER_TERMS, { ...now, lines: more });
  expect(changes.map((c) => c.label)).toEqual(["Pay with", "What is bought: Insurance"]);
  const went = changes.find((c) => c.label === "Pay with");
  expect(went?.before && plainText(went.before.segments)).toBe("card ending 4242");
  expect(went?.now).toBeUndefined();
});

it("is empty where nothing moved", () => {
  expect(changesBetween(meaning, ORDER_TERMS, ORDER_TERMS)).toEqual([]);
});

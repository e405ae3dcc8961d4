import { expect, it } from "vitest";
import { confirmationOf, differs, exceeded, observedLines } from "./observed.ts";

it("shows observed money in its own currency, and other members as they are", () => {
  const observed = { payee: "shop.example", currency: "JPY", minor_digits: 0, total_minor: 4990 };
  expect(observedLines({ observed })).toEqual([
    { name: "Payee", value: "shop.example" },
    { name: "Total", money: { minor: 4990, currency: "JPY" } },
  ]);
});

it("knows no operation: what another one observes is shown too", () => {
  expect(observedLines({ observed: { plan: "Plus", ends_on: "2026-12-31", currency: "XXQ", fee_minor: 3 } })).toEqual([
    { name: "Plan", value: "Plus" },
    { name: "Ends on", value: "2026-12-31" },
    { name: "Currency", value: "XXQ" },
    { name: "Fee minor", value: "3" },
  ]);
});

it("reads the confirmation and the flag only where they are", () => {
  expect(confirmationOf({ destination: { confirmation: "SO-1" } })).toBe("SO-1");
  expect(confirmationOf({})).toBeUndefined();
  expect(exceeded({ flags: ["terms_exceeded"] })).toBe(true);
  expect(exceeded({})).toBe(false);
  expect(differs({ flags: ["terms_differ"] })).toBe(true);
  expect(differs({ flags: ["terms_exceeded"] })).toBe(false);
  expect(observedLines({})).toEqual([]);
});

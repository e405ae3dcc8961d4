import { expect, it } from "vitest";
import { runBatch } from "./batch.ts";

// The short form of `npm run crash`: each signal at a few moments around the boundary, on either store.
const KILLED_AROUND_THE_BOUNDARY = 6;
const HELD_AROUND_THE_BOUNDARY = 26;

it.each([
  ["sqlite", KILLED_AROUND_THE_BOUNDARY],
  ["postgres", HELD_AROUND_THE_BOUNDARY],
] as const)(
  "STA-2 STA-4 APR-6 gateways on %s stopped from moment %i on: no double order, and the shop's ledger agrees",
  async (store, from) => {
    expect(await runBatch(store, from, from + 5)).toEqual({ runs: 20, stops: 5, struck: 5, doubles: 0, wrong: [] });
  },
  180_000,
);

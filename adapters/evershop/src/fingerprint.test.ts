import type { ActionRecord } from "@countersign/profile";
import { describe, expect, test } from "vitest";
import { findOrder, knownAtPrepare, newRows, readFingerprint, traceOf } from "./fingerprint.ts";

const product = { title: "Cup - White", sku: "CUP-WHT", options: ["Color: White"] };
const print = { knownNumbers: ["10001", "10004"], product, quantity: 2, totalMinor: 3500 };
const line = { title: product.title, options: product.options, quantity: 2, totalMinor: 3000 };
const order = (number: string, lines = [line], totalMinor = 3500) => ({
  number,
  path: `/account/orders/${number}`,
  status: "",
  totalMinor,
  lines,
});

describe("STA-4 an order is found by its fingerprint, never by hope", () => {
  test("orders from before the submission are none of its", () => {
    const rows = ["10001", "10003", "10004", "10005"].map((number) => order(number));
    expect(newRows(rows, print).map((row) => row.number)).toEqual(["10005"]);
    expect(newRows(rows, { ...print, knownNumbers: [] })).toHaveLength(4);
  });

  test("one that matches is found, whatever it cost", () => {
    const charged = { currency: "USD", total_minor: 3700 };
    expect(findOrder([order("10005", [line], 3700)], print)).toEqual({
      kind: "found",
      confirmation: "10005",
      result: { order_number: "10005", ...charged },
      observed: charged,
    });
  });

  test("two that match are one too many, even when one has another total", () => {
    expect(findOrder([order("10005"), order("10006", [line], 3700)], print).kind).toBe("unclear");
  });

  test("the item in another order leaves it unclear", () => {
    expect(findOrder([order("10005", [{ ...line, quantity: 3 }])], print).kind).toBe("unclear");
    expect(findOrder([order("10005", [line, { ...line, title: "Bowl" }])], print).kind).toBe("unclear");
    expect(findOrder([order("10005", [{ ...line, options: ["Color: Black"] }])], print).kind).toBe("unclear");
  });

  test("other orders do not count", () => {
    expect(findOrder([order("10005", [{ ...line, title: "Bowl" }])], print)).toEqual({ kind: "none" });
    expect(findOrder([], print)).toEqual({ kind: "none" });
  });

  test("STA-8 record and state alone make one that finds what is newer than the task", () => {
    const record = {
      parameters: { item_ref: "cups/cup-white", quantity: 2, fulfillment_ref: "ful_1" },
      terms: { total_minor: 3500 },
    } as unknown as ActionRecord;
    const state = { v: 1, ...product, ...knownAtPrepare([order("10004"), order("9999"), order("10001")]) };
    const traced = readFingerprint(traceOf(record, state));
    expect(traced).toEqual({ ok: true, value: { ...print, knownNumbers: ["10004"] } });
    const rows = ["9999", "10002", "10004", "10005"].map((number) => order(number));
    expect(traced.ok && newRows(rows, traced.value).map((row) => row.number)).toEqual(["10005"]);
    expect(readFingerprint(traceOf(record, { ...state, ...knownAtPrepare([]) })).ok).toBe(true);
    // State of before does not say which orders were there: every old order would look like a new one.
    expect(readFingerprint(traceOf(record, { v: 1, ...product })).ok).toBe(false);
    expect(readFingerprint(traceOf(record, {})).ok).toBe(false);
  });

  test("what is kept is read back, and another version is refused", () => {
    const kept = { v: 1, known_numbers: ["10001"], ...product, quantity: 2, total_minor: 3500, cart: "sha256:x" };
    expect(readFingerprint(kept)).toEqual({ ok: true, value: { ...print, knownNumbers: ["10001"] } });
    expect(readFingerprint({ ...kept, v: 2 }).ok).toBe(false);
    expect(readFingerprint({ ...kept, known_numbers: [1] }).ok).toBe(false);
  });
});

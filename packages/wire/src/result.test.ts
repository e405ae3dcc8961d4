import { expect, test } from "vitest";
import { AssertionFailed, assert, err, ok, unreachable } from "./index.ts";

test("ok and err are plain data", () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 });
  expect(err("why")).toEqual({ ok: false, reason: "why" });
});

test("assert throws for every falsy condition", () => {
  for (const condition of [false, 0, "", null, undefined]) {
    expect(() => assert(condition, "must hold")).toThrow(AssertionFailed);
  }
  expect(() => assert(1, "must hold")).not.toThrow();
});

test("unreachable does not show the value", () => {
  expect(() => unreachable("card 4242" as never)).toThrow(/^unreachable$/);
});

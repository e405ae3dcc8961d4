import { expect, it } from "vitest";
import { remaining } from "./remaining.ts";

it.each([
  [249_000, "4:09"],
  [59_999, "0:59"],
  [3_605_000, "1:00:05"],
  [183_600_000, "2 d 3 h"],
  [999, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
])("%d ms left reads %s", (left, text) => {
  expect(remaining(left)).toBe(text);
});

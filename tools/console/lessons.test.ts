import { describe, expect, it } from "vitest";
import { lessons, lessonsIn, provingFiles } from "./lessons.ts";

const proofs = provingFiles();

describe("every lesson about what a person sees has its proof", () => {
  it.each([...lessons.keys()])("%i", (number) => {
    expect(proofs.get(number) ?? []).not.toEqual([]);
  });
});

it("a title may name one lesson, several, or a run of them", () => {
  expect(lessonsIn("AUT-1 U31 (U44) one and another")).toEqual([31, 44]);
  expect(lessonsIn("U30-U33 revealText")).toEqual([30, 31, 32, 33]);
  expect(lessonsIn("U+202E is no lesson, nor are U3, U300 and QU30")).toEqual([]);
});

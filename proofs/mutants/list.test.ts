import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MUTANTS } from "./list.ts";

const ROOT = join(import.meta.dirname, "..", "..");

// The short form of `npm run mutants`: every guard of the list stands where the list says, so none is left out unseen.
describe("each guard that a mutant takes out stands in the source, once", () => {
  it.each(MUTANTS)("$name", ({ file, find, also }) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    for (const text of [find, ...(also === undefined ? [] : [also.find])]) expect(source.split(text)).toHaveLength(2);
  });

  it("names are different", () => {
    expect(new Set(MUTANTS.map((m) => m.name)).size).toBe(MUTANTS.length);
  });
});

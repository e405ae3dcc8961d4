import { describe, expect, it } from "vitest";
import { provingTests, titlesOf } from "./proofs.ts";
import { REQUIREMENTS } from "./requirements.ts";

const proofs = provingTests();

describe("every line has its proof", () => {
  it.each(REQUIREMENTS.filter((r) => r.due === "now"))("$id: $says", ({ id }) => {
    expect(proofs.get(id) ?? []).not.toEqual([]);
  });

  it("no test names a line that there is not, and no line stands twice", () => {
    const ids = REQUIREMENTS.map((r) => r.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...proofs.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

it("titles are read whatever the form of the test", () => {
  const source = `
    it("XX one", () => {});
    it.each([1, 2])('two %i', () => {});
    describe.each(table)(\`three\`, () => {});
    test.skip("four", () => {});
    it.each([400, 500] as const)(
      "five \\"quoted\\"", () => {});`;
  expect(titlesOf(source)).toEqual(["XX one", "two %i", "three", "four", 'five \\"quoted\\"']);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListPart, type ListReading, merge, wholeOf } from "./long-list.ts";

const trouble = expect.objectContaining({ name: "SiteTrouble" });
const COLUMNS = ["When", "Number"];

/** A part of a list of `count` rows: those at these places. */
function part(count: number, places: readonly number[], change: Partial<ListPart> = {}): ListPart {
  const rows = places.map((at) => ({ at, row: { cells: [`day ${at}`, `AP-${at}`], href: "" } }));
  return { columns: COLUMNS, count, rows, isAtEnd: places.at(-1) === count - 1, ...change };
}
function read(...parts: readonly ListPart[]): ListReading {
  const all = parts.reduce<ListReading | undefined>((before, each) => merge(before, each), undefined);
  if (all === undefined) throw new Error("no part");
  return all;
}

describe("U27 a list that keeps a few rows in the document", () => {
  it("is whole when every row was seen, whatever parts it came in and how they overlap", () => {
    const places = fc.integer({ min: 1, max: 60 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count }),
        size: fc.integer({ min: 1, max: 12 }),
      }),
    );
    fc.assert(
      fc.property(places, ({ count, order, size }) => {
        const parts: ListPart[] = [];
        for (let at = 0; at < count; at += size) parts.push(part(count, order.slice(Math.max(0, at - 2), at + size)));
        expect(wholeOf(read(...parts)).map(({ cells }) => cells[1])).toEqual(
          Array.from({ length: count }, (_, at) => `AP-${at}`),
        );
      }),
    );
  });

  it("is not read with a row missing, wherever it is", () => {
    const count = 12;
    for (let missing = 0; missing < count; missing += 1) {
      const places = [...Array(count).keys()].filter((at) => at !== missing);
      expect(() => wholeOf(read(part(count, places)))).toThrow(trouble);
    }
  });

  it("of no row at all is empty, and one that says nothing of its length is not read", () => {
    expect(wholeOf(read(part(0, [])))).toEqual([]);
    for (const count of [Number.NaN, -1, 1.5, 100_000])
      expect(() => merge(undefined, part(count, []))).toThrow(trouble);
  });

  it("that changes while it is read is not read", () => {
    const before = merge(undefined, part(20, [0, 1, 2]));
    expect(() => merge(before, part(21, [2, 3]))).toThrow(trouble);
    const moved = { at: 2, row: { cells: ["day 1", "AP-1"], href: "" } };
    expect(() => merge(before, part(20, [], { rows: [moved] }))).toThrow(trouble);
    const elsewhere = { at: 2, row: { cells: ["day 2", "AP-2"], href: "/other" } };
    expect(() => merge(before, part(20, [], { rows: [elsewhere] }))).toThrow(trouble);
    expect(() => merge(before, part(20, [3], { columns: ["When", "Who"] }))).toThrow(trouble);
  });

  it("with a row that is none of its rows, or has another width, is not read", () => {
    for (const at of [-1, 20, 1.5, Number.NaN]) expect(() => merge(undefined, part(20, [at]))).toThrow(trouble);
    const wide = { at: 0, row: { cells: ["day 0", "AP-0", "more"], href: "" } };
    expect(() => merge(undefined, part(20, [], { rows: [wide] }))).toThrow(trouble);
  });
});

import type { Json, JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OPERATIONS } from "./catalogue.ts";
import { compareTerms } from "./compare.ts";
import type { CommitOperation, FieldMeaning, ListMeaning, Show } from "./model.ts";

// Every member of every operation's terms, drawn from the catalogue itself: an operation or a member that is added is
// judged here without anybody adding a row, and one whose meaning is left out fails.
const commits = OPERATIONS.filter((o): o is CommitOperation => o.effect === "commit");

/** Two values of each kind of term that differ, for members that the example leaves out. */
const SAMPLES: Readonly<Record<Show, readonly [Json, Json]>> = {
  money: [100, 200],
  text: ["as it was", "as it is"],
  host: ["shop.example", "sh0p.example"],
  count: [1, 2],
  date: ["2026-12-01", "2026-12-02"],
  instant: ["2026-12-01T10:00:00Z", "2026-12-01T10:00:01Z"],
  reference: ["ref_1", "ref_2"],
  currency: ["EUR", "USD"],
};

interface Place {
  readonly name: string;
  readonly operation: CommitOperation;
  readonly field: FieldMeaning;
  readonly approved: JsonObject;
  readonly with: (value: Json | undefined) => JsonObject;
  readonly value: Json;
}

function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}

function put(object: JsonObject, member: string, value: Json | undefined): JsonObject {
  return value === undefined ? without(object, member) : { ...object, [member]: value };
}

function rows(terms: JsonObject, list: ListMeaning): readonly JsonObject[] {
  const value = terms[list.member];
  if (!Array.isArray(value)) throw new Error(`the example has ${list.member}`);
  return value as readonly JsonObject[];
}

function placesOf(operation: CommitOperation): readonly Place[] {
  const terms = operation.example.terms ?? {};
  const top = operation.meaning.fields.map((field): Place => {
    const value = terms[field.member] ?? SAMPLES[field.show][0];
    const approved = put(terms, field.member, value);
    return {
      name: `${operation.id} ${field.member}`,
      operation,
      field,
      value,
      approved,
      with: (v) => put(approved, field.member, v),
    };
  });
  const inLists = operation.meaning.lists.flatMap((list) =>
    rows(terms, list).flatMap((row, index) =>
      list.fields.map((field): Place => {
        const value = row[field.member] ?? SAMPLES[field.show][0];
        const withRow = (v: Json | undefined) =>
          put(
            terms,
            list.member,
            rows(terms, list).map((r, i) => (i === index ? put(r, field.member, v) : r)),
          );
        return {
          name: `${operation.id} ${list.member}/${index}/${field.member}`,
          operation,
          field,
          value,
          approved: withRow(value),
          with: withRow,
        };
      }),
    ),
  );
  return [...top, ...inLists];
}

const places = commits.flatMap(placesOf);
const named = places.map((place) => [place.name, place] as const);

function otherValue({ field, value }: Place): Json {
  if (field.compare === "not_above" && typeof value === "number") return value + 1;
  const [first, second] = SAMPLES[field.show];
  return JSON.stringify(first) === JSON.stringify(value) ? second : first;
}

const compare = (place: Place, observed: JsonObject) => compareTerms(place.operation.meaning, place.approved, observed);

describe("APR-4 every field of every operation", () => {
  it.each(named)("U28 %s: equal holds", (_name, place) => {
    expect(compare(place, structuredClone(place.approved))).toEqual({ holds: true, breaks: [], lower: [] });
  });

  it.each(named)("U28 U29 %s: another value asks again, and the answer names the member", (_name, place) => {
    const answer = compare(place, place.with(otherValue(place)));
    expect(answer.holds).toBe(place.field.compare === "informative");
    if (!answer.holds) expect(answer.breaks.map((d) => d.path.split("/").at(-1))).toEqual([place.field.member]);
  });

  it.each(named)("%s: gone, or there where it was not, asks again", (_name, place) => {
    const gone = place.with(undefined);
    const holds = place.field.compare === "informative";
    expect(compareTerms(place.operation.meaning, place.approved, gone).holds).toBe(holds);
    expect(compareTerms(place.operation.meaning, gone, place.approved).holds).toBe(holds);
  });

  const amounts = named.filter(([, place]) => place.field.compare === "not_above");
  it.each(amounts)("U28 %s: one minor unit more asks again, one less holds and is reported", (_name, place) => {
    const { value } = place;
    if (typeof value !== "number") throw new Error("an amount is a number");
    expect(compare(place, place.with(value + 1))).toMatchObject({ holds: false, breaks: [{ kind: "higher" }] });
    expect(compare(place, place.with(value - 1))).toMatchObject({ holds: true, lower: [{ kind: "lower" }] });
  });

  it.each(amounts)("%s: only a whole number can be lower", (_name, place) => {
    for (const value of ["1", true, null, 0.5, -1e300, [1], { minor: 1 }]) {
      expect(compare(place, place.with(value as Json)).holds, JSON.stringify(value)).toBe(false);
    }
  });

  it.each(named)("%s: no value of any kind passes but what its rule lets pass", (_name, place) => {
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        const value = any as Json;
        const equal = JSON.stringify(value) === JSON.stringify(place.value);
        const lower =
          place.field.compare === "not_above" &&
          typeof value === "number" &&
          typeof place.value === "number" &&
          Number.isSafeInteger(value) &&
          value <= place.value;
        expect(compare(place, place.with(value)).holds).toBe(equal || lower || place.field.compare === "informative");
      }),
      { numRuns: 50 },
    );
  });
});

describe("APR-4 the lists of every operation", () => {
  const lists = commits.flatMap((operation) =>
    operation.meaning.lists.map((list) => [`${operation.id} ${list.member}`, operation, list] as const),
  );
  const holds = (operation: CommitOperation, list: ListMeaning, now: readonly Json[]): boolean => {
    const terms = operation.example.terms ?? {};
    return compareTerms(operation.meaning, terms, put(terms, list.member, now)).holds;
  };

  it.each(lists)("%s: another key, a row more, a row less, a row twice ask again; the order alone does not", (...c) => {
    const [, operation, list] = c;
    const all = rows(operation.example.terms ?? {}, list);
    const [first = {}] = all;
    expect(holds(operation, list, [...all].reverse())).toBe(true);
    expect(holds(operation, list, [...all, first])).toBe(false);
    expect(holds(operation, list, all.slice(1))).toBe(false);
    expect(holds(operation, list, [])).toBe(false);
    for (const key of list.key) {
      expect(holds(operation, list, [put(first, key, "another"), ...all.slice(1)]), key).toBe(false);
      expect(holds(operation, list, [without(first, key), ...all.slice(1)]), key).toBe(false);
    }
  });
});

describe("APR-2 nothing stands in the terms that the catalogue does not give a meaning", () => {
  it.each(commits.map((o) => [o.id, o] as const))("%s", (_id, { terms, meaning }) => {
    const shape = shapeOf(terms);
    const known = [...meaning.fields, ...meaning.lists].map((m) => m.member);
    expect(Object.keys(shape).sort()).toEqual([...known].sort());
    for (const list of meaning.lists) {
      const element = shape[list.member];
      if (!(element instanceof z.ZodArray)) throw new Error(`${list.member} is a list`);
      const members = [...list.key, ...list.fields.map((f) => f.member)];
      expect(Object.keys(shapeOf(element.element as z.ZodType)).sort()).toEqual(members.sort());
    }
    if (meaning.validUntil !== undefined) expect(known).toContain(meaning.validUntil);
  });

  it.each(["constructor", "toString", "hasOwnProperty", "valueOf"])(
    "a member called %s is one like any other",
    (member) => {
      for (const { meaning, example } of commits) {
        const terms = example.terms ?? {};
        expect(compareTerms(meaning, terms, { ...terms, [member]: "x" }).holds).toBe(false);
        expect(compareTerms(meaning, { ...terms, [member]: "x" }, terms).holds).toBe(false);
      }
    },
  );
});

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (!(schema instanceof z.ZodObject)) throw new Error("terms and their rows are objects");
  return schema.shape as Readonly<Record<string, z.ZodType>>;
}

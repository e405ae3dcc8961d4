import { expect, test } from "vitest";
import { TABLE_ENTRIES_MAX } from "../limits.ts";
import { createExpiringTable } from "./table.ts";

test("a row is gone at its instant, not before", () => {
  const table = createExpiringTable<string>();
  table.put("a", "row", 1_000);
  expect(table.get("a", 999)).toBe("row");
  expect(table.get("a", 1_000)).toBeUndefined();
});

test("the oldest row leaves when the table is full", () => {
  const table = createExpiringTable<number>();
  for (let n = 0; n <= TABLE_ENTRIES_MAX; n += 1) table.put(`${n}`, n, 1_000);
  expect(table.get("0", 0)).toBeUndefined();
  expect(table.get("1", 0)).toBe(1);
  expect(table.get(`${TABLE_ENTRIES_MAX}`, 0)).toBe(TABLE_ENTRIES_MAX);
});

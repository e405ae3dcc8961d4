import { canonicalJson, type Json, type JsonObject } from "@countersign/wire";
import type { FieldMeaning, ListMeaning, TermsMeaning } from "./model.ts";

/** One difference between approved and observed terms. `path` names the member, never a value. */
export interface Difference {
  readonly path: string;
  readonly label: string;
  readonly kind: "changed" | "higher" | "lower" | "appeared" | "vanished" | "undeclared";
}

export interface Comparison {
  /** True when nothing material moved against the person. */
  readonly holds: boolean;
  /** Those that ask again. */
  readonly breaks: readonly Difference[];
  /** Lower amounts: allowed and recorded (APR-4). */
  readonly lower: readonly Difference[];
}

/**
 * Compares freshly observed terms with the approved ones, by the catalogue's meaning alone (APR-4, APR-5).
 * A member that the catalogue does not name counts as material: unknown never passes.
 */
export function compareTerms(meaning: TermsMeaning, approved: JsonObject, observed: JsonObject): Comparison {
  const found: Difference[] = [];
  const named = new Set([...meaning.fields.map((f) => f.member), ...meaning.lists.map((l) => l.member)]);
  for (const member of new Set([...Object.keys(approved), ...Object.keys(observed)])) {
    if (!named.has(member) && !same(own(approved, member), own(observed, member))) {
      found.push({ path: member, label: member, kind: "undeclared" });
    }
  }
  for (const field of meaning.fields) push(found, compareField(field, "", approved, observed));
  for (const list of meaning.lists) {
    found.push(...compareList(list, own(approved, list.member), own(observed, list.member)));
  }
  const lower = found.filter((d) => d.kind === "lower");
  const breaks = found.filter((d) => d.kind !== "lower");
  return { holds: breaks.length === 0, breaks, lower };
}

/** Personal text is material and compared as it is: another address is another order. */
export function comparePersonal(
  meaning: TermsMeaning,
  approved: Readonly<Record<string, string>>,
  observed: Readonly<Record<string, string>>,
): readonly Difference[] {
  const names = new Set([...meaning.personal.map((p) => p.name), ...Object.keys(approved), ...Object.keys(observed)]);
  return [...names]
    .filter((name) => ownText(approved, name) !== ownText(observed, name))
    .map((name) => ({
      path: name,
      label: meaning.personal.find((p) => p.name === name)?.label ?? name,
      kind: "changed",
    }));
}

function compareField(
  field: FieldMeaning,
  base: string,
  approved: JsonObject,
  observed: JsonObject,
): Difference | undefined {
  const before = own(approved, field.member);
  const now = own(observed, field.member);
  if (field.compare === "informative" || same(before, now)) return undefined;
  const path = `${base}${field.member}`;
  if (before === undefined) return { path, label: field.label, kind: "appeared" };
  if (now === undefined) return { path, label: field.label, kind: "vanished" };
  if (field.compare === "not_above" && isAmount(before) && isAmount(now)) {
    return { path, label: field.label, kind: now < before ? "lower" : "higher" };
  }
  return { path, label: field.label, kind: "changed" };
}

function compareList(list: ListMeaning, approved: Json | undefined, observed: Json | undefined): readonly Difference[] {
  const before = rowsOf(approved);
  const now = rowsOf(observed);
  if (before === undefined || now === undefined) {
    return same(approved, observed) ? [] : [{ path: list.member, label: list.label, kind: "changed" }];
  }
  const found: Difference[] = [];
  const keyed = new Map<string, JsonObject>();
  for (const row of before) keyed.set(keyOf(list, row), row);
  if (keyed.size !== before.length || before.length !== now.length) {
    found.push({ path: list.member, label: list.label, kind: "changed" });
  }
  const seen = new Set<string>();
  for (const [index, row] of now.entries()) {
    const key = keyOf(list, row);
    const old = keyed.get(key);
    const base = `${list.member}/${index}/`;
    if (old === undefined || seen.has(key)) {
      found.push({ path: `${list.member}/${index}`, label: list.label, kind: "appeared" });
      continue;
    }
    seen.add(key);
    for (const field of list.fields) push(found, compareField(field, base, old, row));
    for (const member of new Set([...Object.keys(old), ...Object.keys(row)])) {
      const declared = list.key.includes(member) || list.fields.some((f) => f.member === member);
      if (!declared && !same(own(old, member), own(row, member)))
        found.push({ path: `${base}${member}`, label: member, kind: "undeclared" });
    }
  }
  for (const key of keyed.keys()) {
    if (!seen.has(key)) found.push({ path: list.member, label: list.label, kind: "vanished" });
  }
  return found;
}

function keyOf(list: ListMeaning, row: JsonObject): string {
  return canonicalJson(list.key.map((member) => own(row, member) ?? null));
}

function rowsOf(value: Json | undefined): readonly JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rows: JsonObject[] = [];
  for (const row of value as readonly Json[]) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined;
    rows.push(row as JsonObject);
  }
  return rows;
}

/** `constructor` is a name that terms may have, and one that every object inherits. */
function own(object: JsonObject, member: string): Json | undefined {
  return Object.hasOwn(object, member) ? object[member] : undefined;
}

function ownText(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

function isAmount(value: Json): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

function push(list: Difference[], item: Difference | undefined): void {
  if (item !== undefined) list.push(item);
}

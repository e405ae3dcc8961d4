import {
  comparePersonal,
  compareTerms,
  type ListMeaning,
  present,
  type ShownValue,
  type TermsMeaning,
} from "@countersign/profile";
import { canonicalJson, formatMoney, isJsonObject, type Json, type JsonObject, revealText } from "@countersign/wire";

/** One thing that moved between two records of a task. A side that is absent was not there. */
export interface Change {
  readonly path: string;
  readonly label: string;
  /** Of a change inside a list: what tells its row from the others, as it is drawn. */
  readonly row?: ShownValue;
  /** The whole row came or went. */
  readonly whole?: "came" | "went";
  readonly before?: ShownValue;
  readonly now?: ShownValue;
  /** By how much an amount moved, in the currency that both sides are in. */
  readonly difference?: { readonly kind: "dearer" | "cheaper"; readonly amount: string };
}

/** What moved since the record that was shown before, in the words of the catalogue, each side drawn as terms are. */
export function changesBetween(meaning: TermsMeaning, before: JsonObject, now: JsonObject): readonly Change[] {
  const compared = compareTerms(meaning, before, now);
  const all = [...compared.breaks, ...compared.lower];
  const changes: Change[] = [];
  for (const { path, label } of all) {
    // Rows that came or went are named below, and that the list is longer or shorter goes without saying then.
    if (meaning.lists.some((list) => list.member === path) || isRow(path)) continue;
    const was = valueAt(meaning, before, now, path, "before");
    const is = valueAt(meaning, before, now, path, "now");
    changes.push({
      path,
      label,
      ...rowOf(meaning, now, path),
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { now: is }),
      ...moved(meaning, before, now, path),
    });
  }
  const rows = meaning.lists.flatMap((list) => [
    ...rowsOnlyIn(meaning, list, now, before, "came"),
    ...rowsOnlyIn(meaning, list, before, now, "went"),
  ]);
  // A list that cannot be told row by row, such as one with two rows of one key, has at least changed.
  const untold = all.filter(
    ({ path }) => meaning.lists.some((l) => l.member === path) && !rows.some((r) => r.path.startsWith(`${path}/`)),
  );
  return [
    ...changes,
    ...rows,
    ...[...new Map(untold.map((d) => [d.path, d])).values()].map(({ path, label }) => ({ path, label })),
  ];
}

function isRow(path: string): boolean {
  return path.split("/").length === 2;
}

function rowsOnlyIn(
  meaning: TermsMeaning,
  list: ListMeaning,
  here: JsonObject,
  there: JsonObject,
  whole: "came" | "went",
): readonly Change[] {
  const key = (row: JsonObject) => canonicalJson(list.key.map((k) => row[k] ?? null));
  const others = new Set(rowsOf(there[list.member]).map(key));
  const shown = present(meaning, here, {}).lists.find((l) => l.member === list.member)?.rows ?? [];
  return rowsOf(here[list.member]).flatMap((row, index): Change[] => {
    if (others.has(key(row))) return [];
    const first = shown[index]?.[0]?.value;
    return [
      {
        path: `${list.member}/${index}/${whole}`,
        label: list.label,
        whole,
        ...(first === undefined ? {} : { row: first }),
      },
    ];
  });
}

/** Which personal texts are others than before: another address is another order. */
export function personalChanges(
  meaning: TermsMeaning,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly Change[] {
  const side = (text: string | undefined, name: "before" | "now") =>
    text === undefined ? {} : { [name]: { segments: revealText(text) } };
  return comparePersonal(meaning, before, now).map(({ path, label }) => ({
    path,
    label,
    ...side(before[path], "before"),
    ...side(now[path], "now"),
  }));
}

/** Sign and size of a moved amount; nothing where a side is missing or the currency is another one too. */
function moved(meaning: TermsMeaning, before: JsonObject, now: JsonObject, path: string): Pick<Change, "difference"> {
  const { currency } = now;
  const [member = "", index, inRow] = path.split("/");
  const fields = index === undefined ? meaning.fields : (meaning.lists.find((l) => l.member === member)?.fields ?? []);
  const field = fields.find((f) => f.member === (inRow ?? member));
  if (field?.show !== "money" || typeof currency !== "string" || before["currency"] !== currency) return {};
  const [was, is] = (["before", "now"] as const).map((side) => rawAt(meaning, before, now, path, side));
  if (typeof was !== "number" || typeof is !== "number" || !Number.isSafeInteger(is - was) || is === was) return {};
  const amount = formatMoney({ minor: Math.abs(is - was), currency });
  return { difference: { kind: is > was ? "dearer" : "cheaper", amount } };
}

/** A path is a member of the terms, or `list/index/member` in the list as it is now; its old row has the same key. */
function rowAt(
  meaning: TermsMeaning,
  before: JsonObject,
  now: JsonObject,
  path: string,
  side: "before" | "now",
): number | undefined {
  const [member = "", index] = path.split("/");
  const list = meaning.lists.find((l) => l.member === member);
  const row = rowsOf(now[member])[Number(index)];
  if (list === undefined || row === undefined) return undefined;
  const keyOf = (each: JsonObject) => canonicalJson(list.key.map((k) => each[k] ?? null));
  return rowsOf((side === "before" ? before : now)[member]).findIndex((each) => keyOf(each) === keyOf(row));
}

function rawAt(...where: Parameters<typeof rowAt>): Json | undefined {
  const [, before, now, path, side] = where;
  const terms = side === "before" ? before : now;
  const [member = "", index, field] = path.split("/");
  if (index === undefined || field === undefined) return terms[member];
  return rowsOf(terms[member])[rowAt(...where) ?? -1]?.[field];
}

function valueAt(...where: Parameters<typeof rowAt>): ShownValue | undefined {
  const [meaning, before, now, path, side] = where;
  const [member = "", index, field] = path.split("/");
  const shown = present(meaning, side === "before" ? before : now, {});
  if (index === undefined || field === undefined) return shown.fields.find((f) => f.member === member)?.value;
  const row = shown.lists.find((l) => l.member === member)?.rows[rowAt(...where) ?? -1];
  return row?.find((f) => f.member === field)?.value;
}

/** A change inside a row names the row, by the first field that it shows. */
function rowOf(meaning: TermsMeaning, now: JsonObject, path: string): Pick<Change, "row"> {
  const [member = "", index] = path.split("/");
  if (index === undefined) return {};
  const row = present(meaning, now, {}).lists.find((l) => l.member === member)?.rows[Number(index)];
  return row?.[0] === undefined ? {} : { row: row[0].value };
}

function rowsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((row) => isJsonObject(row)) : [];
}

import { compareTerms, present, type ShownValue, type TermsMeaning } from "@countersign/profile";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "@countersign/wire";

/** One thing that moved between two records of a task. A side that is absent was not there. */
export interface Change {
  readonly path: string;
  readonly label: string;
  readonly before?: ShownValue;
  readonly now?: ShownValue;
}

/** What moved since the record that was shown before, in the words of the catalogue, each side drawn as terms are. */
export function changesBetween(meaning: TermsMeaning, before: JsonObject, now: JsonObject): readonly Change[] {
  const compared = compareTerms(meaning, before, now);
  const all = [...compared.breaks, ...compared.lower];
  // That a list is longer or shorter goes without saying where its rows are named.
  const said = all.filter(
    (d) => d.kind !== "changed" || !all.some((other) => other !== d && other.path.split("/")[0] === d.path),
  );
  return said.map((difference) => {
    const was = valueAt(meaning, before, now, difference.path, "before");
    const is = valueAt(meaning, before, now, difference.path, "now");
    return {
      path: difference.path,
      label: labelOf(meaning, now, difference.path, difference.label),
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { now: is }),
    };
  });
}

/** A path is a member of the terms, or `list/index/member` in the list as it is now; its old row has the same key. */
function valueAt(
  meaning: TermsMeaning,
  before: JsonObject,
  now: JsonObject,
  path: string,
  side: "before" | "now",
): ShownValue | undefined {
  const [member = "", index, field] = path.split("/");
  const terms = side === "before" ? before : now;
  const shown = present(meaning, terms, {});
  if (index === undefined || field === undefined) return shown.fields.find((f) => f.member === member)?.value;
  const list = meaning.lists.find((l) => l.member === member);
  const row = rowsOf(now[member])[Number(index)];
  if (list === undefined || row === undefined) return undefined;
  const keyOf = (each: JsonObject) => canonicalJson(list.key.map((k) => each[k] ?? null));
  const at = rowsOf(terms[member]).findIndex((each) => keyOf(each) === keyOf(row));
  return shown.lists.find((l) => l.member === member)?.rows[at]?.find((f) => f.member === field)?.value;
}

/** A change inside a row names the row, by the first field that it shows. */
function labelOf(meaning: TermsMeaning, now: JsonObject, path: string, label: string): string {
  const [member = "", index, field] = path.split("/");
  if (index === undefined) return label;
  const row = present(meaning, now, {}).lists.find((l) => l.member === member)?.rows[Number(index)];
  const name = row?.[0]?.value.segments.map((s) => s.text).join("");
  if (name === undefined || name === "") return label;
  return field === undefined ? `${label}: ${name}` : `${name}: ${label}`;
}

function rowsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((row) => isJsonObject(row)) : [];
}

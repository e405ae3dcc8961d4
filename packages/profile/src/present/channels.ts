import { plainText, previewOf } from "@countersign/wire";
import { displayLines, partsInPlace, type Shown, type ShownField } from "./present.ts";

/** Columns of a mail or a terminal before a line is continued. */
export const TEXT_COLUMNS = 76;
const CONTINUED = "      | ";
const COLUMNS_MIN = 40;

/**
 * An action for a mail or a terminal: its terms, whole, one a line. A longer line is broken here and continued behind a
 * mark, not by the program that shows it: a broken line that began at the margin could pass for a term of its own.
 */
export function textLines(shown: Shown, columns: number = TEXT_COLUMNS): readonly string[] {
  return displayLines(shown).flatMap((line) => broken(line, Math.max(COLUMNS_MIN, columns)));
}

/**
 * An action in one line that programs show by themselves (a subject, a push message). Terms stand whole or not at all:
 * those that do not fit are counted. Nothing in it can be followed.
 */
export function previewLine(shown: Shown, maxChars: number): string {
  const terms = partsInPlace(shown).flatMap((part) => ("rows" in part ? [] : [termOf(part)]));
  const parts = partsInPlace(shown).length;
  let line = shown.question;
  let said = 0;
  for (const term of terms) {
    const longer = `${line} ${term}.`;
    if (lengthOf(longer) + lengthOf(more(parts - said - 1)) > maxChars) break;
    line = longer;
    said++;
  }
  return `${line}${more(parts - said)}`;
}

function more(terms: number): string {
  return terms === 0 ? "" : ` Open it to see ${terms} more.`;
}

function termOf(field: ShownField): string {
  const text = plainText(field.value.segments);
  // Twice as long as its text at most, so the whole of it comes back and only its links are broken.
  const value = previewOf(field.value.segments, lengthOf(text) * 3 + 1);
  return `${field.label}: ${value}${field.value.warning === undefined ? "" : " (look twice)"}`;
}

function broken(line: string, columns: number): readonly string[] {
  const chars = Array.from(line);
  const lines: string[] = [];
  let from = 0;
  do {
    const width = lines.length === 0 ? columns : columns - CONTINUED.length;
    const end = from + width;
    const space = end < chars.length ? chars.lastIndexOf(" ", end) : chars.length;
    const to = end >= chars.length ? chars.length : space > from + width / 2 ? space : end;
    lines.push(`${lines.length === 0 ? "" : CONTINUED}${chars.slice(from, to).join("")}`);
    from = chars[to] === " " ? to + 1 : to;
  } while (from < chars.length);
  return lines;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

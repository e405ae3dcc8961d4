import {
  formatMoney,
  type HostDisplay,
  hostDisplay,
  type Json,
  type JsonObject,
  plainText,
  revealText,
  type Segment,
} from "@countersign/wire";
import type { FieldMeaning, ListMeaning, TermsMeaning } from "../catalogue/model.ts";

/** One shown value: text in segments, so that every channel shows invisible and deceptive characters alike. */
export interface ShownValue {
  readonly segments: readonly Segment[];
  /** A warning that stands beside the value, in plain words. */
  readonly warning?: string;
}

export interface ShownField {
  readonly member: string;
  readonly label: string;
  readonly value: ShownValue;
  readonly place: number;
  readonly show: FieldMeaning["show"] | "personal";
  readonly material: boolean;
}

export interface ShownList {
  readonly member: string;
  readonly label: string;
  readonly place: number;
  readonly rows: readonly (readonly ShownField[])[];
}

export interface Shown {
  readonly question: string;
  readonly affirm: string;
  readonly fields: readonly ShownField[];
  readonly lists: readonly ShownList[];
}

/**
 * Draws an action's terms from its record and its operation's meaning, and from nothing else.
 * `personal` is the disclosed personal text by name; a withheld one is shown as withheld.
 */
export function present(meaning: TermsMeaning, terms: JsonObject, personal: Readonly<Record<string, string>>): Shown {
  const currency = typeof terms["currency"] === "string" ? terms["currency"] : undefined;
  const fields = meaning.fields
    .filter((field) => terms[field.member] !== undefined)
    .map((field) => shownField(field, terms[field.member], currency));
  const withheld = meaning.personal.map(
    (p): ShownField => ({
      member: p.name,
      label: p.label,
      place: p.place,
      show: "personal",
      material: true,
      value: { segments: revealText(personal[p.name] ?? "(withheld)") },
    }),
  );
  return {
    question: meaning.question,
    affirm: meaning.affirm,
    fields: [...fields, ...withheld].sort((a, b) => a.place - b.place),
    lists: meaning.lists.map((list) => shownList(list, terms[list.member], currency)),
  };
}

/**
 * The same as lines of text: the display text whose digest the approval names, and what a terminal or a mail shows. One
 * term a line, and nothing else on it: a line can be begun by us alone (a newline in a text is shown as one), so that no
 * title can speak for the price beside it.
 */
export function displayText(
  meaning: TermsMeaning,
  terms: JsonObject,
  personal: Readonly<Record<string, string>>,
): string {
  return displayLines(present(meaning, terms, personal)).join("\n");
}

export function displayLines(shown: Shown): readonly string[] {
  return [shown.question, ...partsInPlace(shown).flatMap(linesOf)];
}

/** Fields and lists of an action in the order of their places. */
export function partsInPlace(shown: Shown): readonly (ShownField | ShownList)[] {
  return [...shown.fields, ...shown.lists].sort((a, b) => a.place - b.place);
}

function linesOf(part: ShownField | ShownList): readonly string[] {
  if (!("rows" in part)) return fieldLines(part, "");
  return part.rows.flatMap((row, index) => [
    `${part.label}, ${index + 1} of ${part.rows.length}`,
    ...row.flatMap((field) => fieldLines(field, "  ")),
  ]);
}

function fieldLines(field: ShownField, indent: string): readonly string[] {
  const { segments, warning } = field.value;
  const line = `${indent}${field.label}: ${plainText(segments)}`;
  return warning === undefined ? [line] : [line, `${indent}  (${warning})`];
}

/** What is said beside a host that may imitate another (U31). */
export function hostWarning(warning: HostDisplay["warning"]): string | undefined {
  switch (warning) {
    case "mixed_scripts":
      return "This name mixes letters of several alphabets to look like another name. Do not trust what it resembles.";
    case "whole_script":
      return "This name is written in letters of another alphabet that look like Latin ones. Do not trust what it resembles.";
    case "punycode":
      return "This name has letters beyond plain Latin, shown in its technical form. Read it letter by letter.";
    case "not_a_host":
      return "This is not the name of a site.";
    case undefined:
      return undefined;
  }
}

function shownField(field: FieldMeaning, value: Json | undefined, currency: string | undefined): ShownField {
  return {
    member: field.member,
    label: field.label,
    place: field.place,
    show: field.show,
    material: field.compare !== "informative",
    value: shownValue(field, value, currency),
  };
}

function shownList(list: ListMeaning, value: Json | undefined, currency: string | undefined): ShownList {
  const rows = Array.isArray(value) ? (value as readonly Json[]) : [];
  return {
    member: list.member,
    label: list.label,
    place: list.place,
    rows: rows.map((row) =>
      list.fields
        .filter((field) => isObject(row) && row[field.member] !== undefined)
        .map((field) => shownField(field, isObject(row) ? row[field.member] : undefined, currency)),
    ),
  };
}

function shownValue(field: FieldMeaning, value: Json | undefined, currency: string | undefined): ShownValue {
  if (field.show === "money" && typeof value === "number" && currency !== undefined) {
    return { segments: [{ kind: "plain", text: formatMoney({ minor: value, currency }) }] };
  }
  if (field.show === "host" && typeof value === "string") {
    const host = hostDisplay(value);
    const warning = hostWarning(host.warning);
    // The host's own escapes are ours already: it is plain ASCII.
    return { segments: [{ kind: "plain", text: host.ascii }], ...(warning === undefined ? {} : { warning }) };
  }
  return { segments: revealText(typeof value === "string" ? value : JSON.stringify(value ?? null)) };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

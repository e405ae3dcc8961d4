import { formatMoney, hostDisplay, type Json, type JsonObject, revealText, type Segment } from "@countersign/wire";
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

/** The same as lines of text: the display text whose digest the approval names. */
export function displayText(
  meaning: TermsMeaning,
  terms: JsonObject,
  personal: Readonly<Record<string, string>>,
): string {
  const shown = present(meaning, terms, personal);
  const parts = [
    ...shown.fields.map((field) => ({ place: field.place, lines: [`${field.label}: ${flat(field.value)}`] })),
    ...shown.lists.map((list) => ({
      place: list.place,
      lines: list.rows.map((row) => `${list.label}: ${row.map((f) => `${f.label} ${flat(f.value)}`).join("; ")}`),
    })),
  ].sort((a, b) => a.place - b.place);
  return [shown.question, ...parts.flatMap((part) => part.lines)].join("\n");
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
    const warning =
      host.warning === undefined ? {} : { warning: "This name mixes or encodes scripts; read it letter by letter." };
    return { segments: revealText(host.ascii), ...warning };
  }
  return { segments: revealText(typeof value === "string" ? value : JSON.stringify(value ?? null)) };
}

function flat(value: ShownValue): string {
  return value.segments.map((s) => (s.kind === "plain" ? s.text : `[${s.text}]`)).join("");
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { Json, JsonObject } from "@countersign/wire";
import type { CommitOperation, ItemMeaning } from "./model.ts";

/** One thing that a limit of a grant can be about, as far as a request or the observed terms say it. */
export type Told<T> =
  | { readonly kind: "told"; readonly value: T }
  /** The request does not say; the observed terms will. */
  | { readonly kind: "later" }
  /** The operation has no such thing. */
  | { readonly kind: "none" }
  /** It should stand there and cannot be read, or the catalogue does not say where: no limit on it can be met. */
  | { readonly kind: "unreadable" };

/** What a commit is about, for the limits of a grant (CON-3). Amounts are minor units of their currency. */
export interface Act {
  readonly amount: Told<{ readonly minor: number; readonly currency: string }>;
  readonly payee: Told<string>;
  readonly items: Told<readonly string[]>;
}

/** What a request says of its act: its own maximum stands for the amount (REQ-8). */
export function requestedAct(operation: CommitOperation, parameters: JsonObject): Act {
  const { ceiling, limits } = operation;
  const asked = (member: string | undefined): Told<string> =>
    member === undefined || parameters[member] === undefined ? { kind: "later" } : text(parameters[member]);
  const amount =
    ceiling === undefined
      ? noAmount(operation)
      : parameters[ceiling.limitMember] === undefined
        ? ({ kind: "later" } as const)
        : money(parameters[ceiling.limitMember], parameters[ceiling.limitCurrencyMember]);
  return {
    amount,
    payee: declared(limits?.payee, (payee) => asked(payee.requestMember)),
    items: declared(limits?.items, (items) => listOf(asked(items.requestMember))),
  };
}

/** What the observed terms say of the act; nothing is left for later. */
export function observedAct(operation: CommitOperation, terms: JsonObject): Act {
  const { ceiling, limits } = operation;
  return {
    amount:
      ceiling === undefined ? noAmount(operation) : money(terms[ceiling.totalMember], terms[ceiling.currencyMember]),
    payee: declared(limits?.payee, (payee) => text(terms[payee.termsMember])),
    items: declared(limits?.items, (items) => observedItems(items, terms)),
  };
}

function observedItems(items: ItemMeaning, terms: JsonObject): Told<readonly string[]> {
  if (items.termsList === undefined) return listOf(text(terms[items.termsMember]));
  const rows = terms[items.termsList];
  if (!Array.isArray(rows)) return { kind: "unreadable" };
  const found: string[] = [];
  for (const row of rows as readonly Json[]) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) return { kind: "unreadable" };
    const line = row as JsonObject;
    if (items.where !== undefined && line[items.where.member] !== items.where.equals) continue;
    const item = text(line[items.termsMember]);
    if (item.kind !== "told") return { kind: "unreadable" };
    found.push(item.value);
  }
  return found.length === 0 ? { kind: "unreadable" } : { kind: "told", value: found };
}

/**
 * An operation without a ceiling costs nothing, unless its terms show money and the catalogue does not say that none
 * leaves, or it says that more will: then its cost cannot be judged.
 */
function noAmount(operation: CommitOperation): Act["amount"] {
  const declaredAmount = operation.limits?.amount;
  if (declaredAmount !== undefined) return { kind: declaredAmount === "none" ? "none" : "unreadable" };
  const { fields, lists } = operation.meaning;
  const shown = [...fields, ...lists.flatMap((list) => list.fields)];
  return { kind: shown.some((field) => field.show === "money") ? "unreadable" : "none" };
}

function declared<M, T>(meaning: "none" | M | undefined, read: (meaning: M) => Told<T>): Told<T> {
  if (meaning === undefined) return { kind: "unreadable" };
  return meaning === "none" ? { kind: "none" } : read(meaning);
}

function money(minor: Json | undefined, currency: Json | undefined): Act["amount"] {
  if (typeof minor !== "number" || !Number.isSafeInteger(minor) || minor < 0 || typeof currency !== "string")
    return { kind: "unreadable" };
  return { kind: "told", value: { minor, currency } };
}

function text(value: Json | undefined): Told<string> {
  return typeof value === "string" ? { kind: "told", value } : { kind: "unreadable" };
}

function listOf(told: Told<string>): Told<readonly string[]> {
  return told.kind === "told" ? { kind: "told", value: [told.value] } : told;
}

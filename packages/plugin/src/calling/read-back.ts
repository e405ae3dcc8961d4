import { assert, type Json, type JsonObject, parseInstant } from "@countersign/wire";
import type { Found } from "../seams/adapter.ts";
import type { CommitBinding } from "./bindings.ts";
import { confirmationOf } from "./outcome.ts";
import { holds } from "./scope.ts";
import { type Scope, valueAt } from "./template.ts";

type ReadBack = CommitBinding["read_back"];

const VERSION = 1;
const ENTRIES_MAX = 500;
/** How far the other side's clock may be behind ours. */
const CLOCK_SKEW_MS = 10 * 60_000;

interface Entry {
  readonly item: Json;
  readonly id?: string;
}

/** What a read-back looks for, as it was saved before anything left. */
export function readPrint(print: JsonObject): { readonly kept: Json; readonly known: readonly string[] } | undefined {
  const { v, kept, known } = print;
  if (v !== VERSION || kept === undefined || !Array.isArray(known)) return undefined;
  const ids = (known as readonly Json[]).filter((id) => typeof id === "string");
  return ids.length === known.length ? { kept, known: ids } : undefined;
}

/** The entries that an answer shows; undefined when it is not the answer that was bound. */
export function entriesOf(binding: ReadBack, scope: Scope): readonly Entry[] | undefined {
  if (binding.each === undefined) return [{ item: scope["answer"] ?? null }];
  const list = valueAt(binding.each, scope);
  if (!Array.isArray(list) || list.length > ENTRIES_MAX) return undefined;
  const entries: Entry[] = [];
  for (const item of list as readonly Json[]) {
    if (binding.id === undefined) entries.push({ item });
    else {
      const id = valueAt(binding.id, { item });
      if (typeof id !== "string" && typeof id !== "number") return undefined;
      entries.push({ item, id: String(id) });
    }
  }
  return entries;
}

/** What is one thing and not a list must not be done already: it could not be told from what another has done. */
export function alreadyThere(binding: ReadBack, scope: Scope): boolean {
  return binding.each === undefined && holds(binding.match, { ...scope, item: scope["answer"] });
}

/**
 * Finds one submission's entry. Two that match are one too many to tell apart, and an answer that cannot be read shows
 * nothing; that it is not there counts only where the operator has said that it does (STA-3, STA-4).
 */
export function findEntry(
  binding: ReadBack,
  scope: Scope,
  known: readonly string[],
  submittedAt: string,
): Found<JsonObject> {
  const submitted = parseInstant(submittedAt);
  assert(submitted.ok, "a submission has its time");
  const entries = entriesOf(binding, scope);
  if (entries === undefined) return { kind: "unclear", why: "what was read back is not what was bound" };
  const fresh = entries.filter(({ item, id }) => {
    if (id !== undefined && known.includes(id)) return false;
    return binding.at === undefined || madeAfter(valueAt(binding.at, { item }), submitted.value - CLOCK_SKEW_MS);
  });
  const matching = fresh.filter(({ item }) => holds(binding.match, { ...scope, item }));
  const [entry, ...others] = matching;
  if (entry === undefined)
    return binding.absent === "not_done" ? { kind: "absent" } : { kind: "unclear", why: "it is not listed" };
  if (others.length > 0) return { kind: "unclear", why: "more than one new entry matches" };
  const found = confirmationOf(binding.found, { ...scope, item: entry.item });
  return found === undefined ? { kind: "unclear", why: "the entry cannot be read" } : { kind: "found", ...found };
}

/** A time that cannot be read excludes nothing: the entry may be ours. */
function madeAfter(at: Json | undefined, after: number): boolean {
  const read = typeof at === "string" ? parseInstant(at) : undefined;
  return read?.ok !== true || read.value >= after;
}

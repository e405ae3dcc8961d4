import type { KnownDestination } from "../core.ts";
import type { Refusal } from "./refusal.ts";

/** What a destination can do, by whichever route. */
export function offeredAt(destination: KnownDestination | undefined): readonly string[] {
  const entries = [...(destination?.byRoute.values() ?? [])].flatMap(({ entry }) => entry.operations);
  return [...new Set(entries.map(({ operation }) => operation))].sort();
}

/** The capability gap of an operation, which names those that there are (REQ-6). @param pointer where it was asked for. */
export function notOffered(destination: KnownDestination | undefined, pointer: string): Refusal {
  const offered = offeredAt(destination);
  const rule = offered.length === 0 ? "nothing is offered here" : `one of those offered here: ${offered.join(", ")}`;
  return { reason: "capability_gap", problems: [{ pointer, rule }] };
}

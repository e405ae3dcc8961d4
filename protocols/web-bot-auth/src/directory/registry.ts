import { err, ok, type Result } from "@countersign/wire";
import { agentUrl } from "../agent/url.ts";
import { REGISTRY_ENTRIES_MAX, REGISTRY_MAX_BYTES } from "../limits.ts";

export type RegistryProblem = "too_large" | "malformed";

/** A list of cards, one URL a line; `#` begins a comment at a line's start or after a space, for URLs may hold one. */
export function readRegistry(text: string): Result<readonly string[], RegistryProblem> {
  if (text.length > REGISTRY_MAX_BYTES) return err("too_large");
  const cards: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const entry = line.replace(/(^|[\t ])#.*$/, "").trim();
    if (entry === "") continue;
    if (!agentUrl(entry, "refused").ok) return err("malformed");
    cards.push(entry);
    if (cards.length > REGISTRY_ENTRIES_MAX) return err("too_large");
  }
  return ok(cards);
}

import { fetchDocument, freshForMs, type GuardedFetch } from "@countersign/web-bot-auth";
import { isJsonObject, type Json, parseJson } from "@countersign/wire";
import { BODY_MAX_BYTES, KEYS_FRESH_MAX_MS, KEYS_MAX } from "../limits.ts";
import { type AgentKey, readAgentKey } from "./agent-key.ts";

export type AgentKeyAnswer =
  | { readonly kind: "found"; readonly key: AgentKey }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable" };

/**
 * Somebody who lists agents' keys, under the name that a result gives for it: "trusted by the scheme" is never said of a
 * key unless it came from the source that the operator configured as the scheme's. No URL ever comes out of a request.
 */
export interface AgentKeySource {
  readonly name: string;
  find(keyId: string): Promise<AgentKeyAnswer>;
}

/** Keys that are configured. One that cannot be used is left out. */
export async function configuredKeys(name: string, jwks: Json): Promise<AgentKeySource> {
  const keys = await keysOf(jwks);
  return {
    name,
    async find(keyId) {
      const key = keys?.get(keyId);
      return key === undefined ? { kind: "absent" } : { kind: "found", key };
    },
  };
}

/** Keys at a URL that is configured; kept for as long as they are fresh, at most an hour, and not a moment longer. */
export function fetchedKeys(options: {
  readonly name: string;
  readonly url: string;
  readonly fetch: GuardedFetch;
  readonly now?: () => number;
}): AgentKeySource {
  const { name, url, fetch, now = Date.now } = options;
  let kept: { readonly keys: ReadonlyMap<string, AgentKey>; readonly untilMs: number } | undefined;
  let underWay: Promise<void> | undefined;
  const ask = async () => {
    const got = await fetchDocument(fetch, { url, format: "jwks" });
    if (!got.ok || got.value.kind !== "document") return;
    const parsed = parseJson(got.value.body, { maxBytes: BODY_MAX_BYTES });
    const keys = parsed.ok ? await keysOf(parsed.value) : undefined;
    if (keys === undefined) return;
    kept = { keys, untilMs: now() + Math.min(freshForMs(got.value.headers, now()), KEYS_FRESH_MAX_MS) };
  };
  return {
    name,
    async find(keyId) {
      if (kept === undefined || now() >= kept.untilMs) {
        underWay ??= ask().finally(() => {
          underWay = undefined;
        });
        await underWay;
      }
      if (kept === undefined || now() >= kept.untilMs) return { kind: "unavailable" };
      const key = kept.keys.get(keyId);
      return key === undefined ? { kind: "absent" } : { kind: "found", key };
    },
  };
}

async function keysOf(jwks: Json): Promise<ReadonlyMap<string, AgentKey> | undefined> {
  if (!isJsonObject(jwks)) return undefined;
  const listed = jwks["keys"];
  if (!Array.isArray(listed) || listed.length > KEYS_MAX) return undefined;
  const keys = new Map<string, AgentKey>();
  for (const one of listed as readonly Json[]) {
    const read = await readAgentKey(one);
    if (read.ok) keys.set(read.value.keyId, read.value);
  }
  return keys;
}

import type { Fetch } from "@countersign/plugin";
import { isJsonObject, type Json, type JsonObject, parseHttpUrl, parseJson } from "@countersign/wire";
import { KEY_SET_BYTES_MAX, KEYS_MAX } from "./limits.ts";
import type { CardKeys } from "./signature.ts";

export interface KeySources {
  /** Public JWKs that the operator entered. */
  readonly configured: readonly JsonObject[];
  /** Where a `jku` may lead: the card's own origin and those that the operator named. */
  readonly origins: ReadonlySet<string>;
  /** The one way out, behind the address guard; it follows no redirect. */
  readonly fetch: Fetch;
}

/** Keys of the configuration, and of a `jku` at an origin that may be asked. Each address is asked once. */
export function cardKeys({ configured, origins, fetch }: KeySources): CardKeys {
  const asked = new Map<string, Promise<readonly JsonObject[]>>();
  return {
    configured,
    async at(jku) {
      const url = parseHttpUrl(jku);
      if (!url.ok || !origins.has(url.value.origin)) return [];
      const known = asked.get(url.value.href) ?? askKeySet(url.value, fetch);
      asked.set(url.value.href, known);
      return known;
    },
  };
}

async function askKeySet(url: URL, fetch: Fetch): Promise<readonly JsonObject[]> {
  try {
    const answer = await fetch(new Request(url, { headers: { accept: "application/json" }, redirect: "manual" }));
    if (answer.status !== 200) return [];
    const parsed = parseJson(new Uint8Array(await answer.arrayBuffer()), { maxBytes: KEY_SET_BYTES_MAX });
    const keys: Json = parsed.ok && isJsonObject(parsed.value) ? (parsed.value["keys"] ?? []) : [];
    return Array.isArray(keys) ? keys.filter(isJsonObject).slice(0, KEYS_MAX) : [];
  } catch {
    // No answer: no key, and so no signature that holds.
    return [];
  }
}

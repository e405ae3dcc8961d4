import type { Exchange } from "../http/exchange.ts";
import { ISSUED_MAX } from "../limits.ts";
import { randomToken } from "../site/random.ts";
import { tokenDigest } from "../site/world.ts";
import type { ApiKey } from "./model.ts";
import type { UtilityWorld } from "./world.ts";

/** The header that carries a key, as the site's settings say. */
export const KEY_HEADER = "x-northlight-key";
const NAME_LENGTH_MAX = 40;
const KEYS_MAX = 20;

/** Makes a key: this is the only time that it is shown. */
export function makeKey(
  world: UtilityWorld,
  name: string,
): { readonly key: string; readonly row: ApiKey } | "invalid_request" {
  const { state } = world;
  const called = name.trim();
  if (called === "" || called.length > NAME_LENGTH_MAX || state.keys.length >= KEYS_MAX) return "invalid_request";
  const key = `nle_${randomToken(world.random)}`;
  state.lastNumber += 1;
  const row: ApiKey = {
    id: `key-${state.lastNumber}`,
    name: called,
    digest: tokenDigest(key),
    ending: key.slice(-4),
    madeAtMs: world.now(),
  };
  state.keys = [...state.keys, row];
  state.issued = [...state.issued, key].slice(-ISSUED_MAX);
  state.counters.keys += 1;
  return { key, row };
}

/** False when there is no such key. */
export function revokeKey(world: UtilityWorld, id: string): boolean {
  const before = world.state.keys.length;
  world.state.keys = world.state.keys.filter((each) => each.id !== id);
  return world.state.keys.length < before;
}

export function hasKey(world: UtilityWorld, exchange: Exchange): boolean {
  const given = exchange.headers[KEY_HEADER];
  if (typeof given !== "string") return false;
  const digest = tokenDigest(given);
  return world.state.keys.some((each) => each.digest === digest);
}

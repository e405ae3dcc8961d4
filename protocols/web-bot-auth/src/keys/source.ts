import type { AgentPlace } from "../agent/discovery.ts";
import type { PublicKey } from "./public-key.ts";

/**
 * `absent`: the place answered, and does not list the key. `unavailable`: it did not answer, which says nothing about the
 * signer. The two are never one.
 */
export type KeyAnswer =
  | { readonly kind: "found"; readonly key: PublicKey; readonly age: "fresh" | "stale" }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable" };

/** Finds a key at a place; always by both, or an attacker publishes your keys elsewhere, or his under your URL. */
export interface KeySource {
  find(place: AgentPlace, keyId: string): Promise<KeyAnswer>;
}

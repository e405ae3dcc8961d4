import type { AgentPlace, DocumentFormat } from "../agent/discovery.ts";
import type { PublicKey } from "../keys/public-key.ts";
import type { KeyAnswer, KeySource } from "../keys/source.ts";
import { DIRECTORIES_MAX, FETCHES_MAX, FETCHES_PER_HOST_MAX, STALE_MAX_MS, UNKNOWN_KEY_REFETCH_MS } from "../limits.ts";
import type { PlainHttp } from "../profile.ts";
import { readCard } from "./card.ts";
import { readKeySet } from "./document.ts";
import { fetchDocument, type GuardedFetch } from "./fetch.ts";
import { freshForMs, retryAfterMs } from "./freshness.ts";

// One entry for each (URL, way of reading it): the keys of the last answer that could be read, how long they are fresh,
// and when asking again makes sense. An answer replaces the keys, also when it lists fewer; a failure leaves them. They
// are used past their freshness while the directory cannot be asked, for a day and no longer. A key that is not in a fresh
// answer is asked for once a minute at most. One fetch at a time for each entry; a stranger who names many places gets
// four at once from a host, and thirty-two altogether.

export interface DirectoryKeysOptions {
  readonly fetch: GuardedFetch;
  readonly plainHttp?: PlainHttp;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Told of every failure; holds no text of the other side. */
  readonly onFailure?: (failure: { readonly url: string; readonly problem: string }) => void;
}

interface Entry {
  keys?: ReadonlyMap<string, PublicKey>;
  etag?: string;
  freshUntilMs: number;
  /** The end of {@link STALE_MAX_MS}. */
  usableUntilMs: number;
  askedAtMs: number;
  askAgainAtMs: number;
  failures: number;
  /** A signature was looked up here with success; such an entry is given up last. */
  useful: boolean;
  underWay?: Promise<void>;
}

interface Cache {
  readonly options: DirectoryKeysOptions;
  readonly now: () => number;
  readonly entries: Map<string, Entry>;
  readonly perHost: Map<string, number>;
  fetches: number;
}

/** Keys of the places that signers name, fetched and kept. */
export function directoryKeys(options: DirectoryKeysOptions): KeySource {
  const now = options.now ?? Date.now;
  const cache: Cache = { options, now, entries: new Map(), perHost: new Map(), fetches: 0 };
  return { find: (place, keyId) => find(cache, place, keyId) };
}

async function find(cache: Cache, place: AgentPlace, keyId: string): Promise<KeyAnswer> {
  const entry = entryFor(cache, place);
  if (!isFresh(cache, entry) || mayAskForKey(cache, entry, keyId)) await refresh(cache, place, entry);
  const nowMs = cache.now();
  if (entry.keys === undefined || nowMs >= entry.usableUntilMs) return { kind: "unavailable" };
  const key = entry.keys.get(keyId);
  // Keys that are out of date do not say that another is missing.
  if (key === undefined) return isFresh(cache, entry) ? { kind: "absent" } : { kind: "unavailable" };
  entry.useful = true;
  return { kind: "found", key, age: isFresh(cache, entry) ? "fresh" : "stale" };
}

function isFresh(cache: Cache, entry: Entry): boolean {
  return entry.keys !== undefined && cache.now() < entry.freshUntilMs;
}

function mayAskForKey(cache: Cache, entry: Entry, keyId: string): boolean {
  return entry.keys?.has(keyId) === false && cache.now() - entry.askedAtMs >= UNKNOWN_KEY_REFETCH_MS;
}

async function refresh(cache: Cache, place: AgentPlace, entry: Entry): Promise<void> {
  if (entry.underWay !== undefined) return entry.underWay;
  if (cache.now() < entry.askAgainAtMs) return;
  const { host } = new URL(place.url);
  const running = cache.perHost.get(host) ?? 0;
  // Nothing is queued: whoever comes too many at once is told that the place could not be asked, and may come again.
  if (cache.fetches >= FETCHES_MAX || running >= FETCHES_PER_HOST_MAX) return;
  cache.fetches += 1;
  cache.perHost.set(host, running + 1);
  entry.underWay = ask(cache, place, entry).finally(() => {
    delete entry.underWay;
    cache.fetches -= 1;
    const left = (cache.perHost.get(host) ?? 1) - 1;
    if (left === 0) cache.perHost.delete(host);
    else cache.perHost.set(host, left);
  });
  return entry.underWay;
}

async function ask(cache: Cache, place: AgentPlace, entry: Entry): Promise<void> {
  entry.askedAtMs = cache.now();
  const answer = await read(cache, place, entry.etag);
  const nowMs = cache.now();
  if (answer.kind === "failed") {
    entry.failures += 1;
    entry.askAgainAtMs = nowMs + retryAfterMs(entry.failures, answer.retryAfter, nowMs);
    cache.options.onFailure?.({ url: place.url, problem: answer.problem });
    return;
  }
  if (answer.kind === "keys") {
    entry.keys = answer.keys;
    if (answer.etag === undefined) delete entry.etag;
    else entry.etag = answer.etag;
  }
  entry.failures = 0;
  entry.askAgainAtMs = 0;
  entry.freshUntilMs = nowMs + freshForMs(answer.headers, nowMs);
  entry.usableUntilMs = entry.freshUntilMs + STALE_MAX_MS;
}

type Read =
  | {
      readonly kind: "keys";
      readonly keys: ReadonlyMap<string, PublicKey>;
      readonly headers: Headers;
      readonly etag?: string;
    }
  | { readonly kind: "unchanged"; readonly headers: Headers }
  | { readonly kind: "failed"; readonly problem: string; readonly retryAfter: string | null };

async function read(cache: Cache, place: AgentPlace, etag: string | undefined): Promise<Read> {
  const { url, format } = place;
  const got = await fetchDocument(cache.options.fetch, { url, format, ...(etag === undefined ? {} : { etag }) });
  if (!got.ok) return { kind: "failed", ...got.reason };
  if (got.value.kind === "unchanged") return got.value;
  const { body, headers } = got.value;
  if (format !== "card") return keysIn(body, headers, format);
  const card = await readCard(body, url, cache.options.plainHttp ?? "refused");
  if (!card.ok) return failedReading(card.reason);
  if (card.value.keys.kind === "inline") return { kind: "keys", keys: card.value.keys.set.keys, headers };
  // The second hop of a card, under the same limits; there is no third. Its answer alone says how long it is fresh, and
  // the card is read again with it.
  const second = await fetchDocument(cache.options.fetch, { url: card.value.keys.url, format: "jwks" });
  if (!second.ok) return { kind: "failed", ...second.reason };
  if (second.value.kind === "unchanged") return failedReading("status");
  const keys = await keysIn(second.value.body, second.value.headers, "jwks");
  if (keys.kind !== "keys") return keys;
  return { kind: "keys", keys: keys.keys, headers: keys.headers };
}

async function keysIn(body: Uint8Array, headers: Headers, format: DocumentFormat): Promise<Read> {
  const set = await readKeySet(body, { kid: format === "well_known" ? "thumbprint" : "free" });
  if (!set.ok) return failedReading(set.reason);
  const etag = headers.get("etag");
  return { kind: "keys", keys: set.value.keys, headers, ...(etag === null ? {} : { etag }) };
}

function failedReading(problem: string): Read {
  return { kind: "failed", problem, retryAfter: null };
}

function entryFor(cache: Cache, { url, format }: AgentPlace): Entry {
  const name = `${format} ${url}`;
  const known = cache.entries.get(name);
  if (known !== undefined) {
    // Moved behind the others: what was used least lately stands first.
    cache.entries.delete(name);
    cache.entries.set(name, known);
    return known;
  }
  if (cache.entries.size >= DIRECTORIES_MAX) giveUpOne(cache.entries);
  const entry: Entry = {
    freshUntilMs: 0,
    usableUntilMs: 0,
    askedAtMs: Number.NEGATIVE_INFINITY,
    askAgainAtMs: 0,
    failures: 0,
    useful: false,
  };
  cache.entries.set(name, entry);
  return entry;
}

/** Whoever names many places pushes out other such names before any directory that signers were found in. */
function giveUpOne(entries: Map<string, Entry>): void {
  for (const [name, entry] of entries) {
    if (entry.useful) continue;
    entries.delete(name);
    return;
  }
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

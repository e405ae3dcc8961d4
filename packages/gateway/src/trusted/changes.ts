import type { Log } from "@countersign/plugin";
import type { Owner } from "../core.ts";
import { CHANGES_ALL_MAX, CHANGES_LOOK_MS, CHANGES_SPACING_MS, SESSION_STREAMS_MAX } from "../limits.ts";
import type { Store } from "../store/store.ts";
import type { ChangeKind } from "./change-kinds.ts";
import { createCursors, fingerprintsOf, livingSessions, newestCursors } from "./changed-rows.ts";

/** One open page: which of the person's things changed, and that the session is over. Never what changed in them. */
export interface ChangeListener {
  changed(kinds: ReadonlySet<ChangeKind>): void;
  ended(): void;
}

export interface ChangeWatcher extends Owner {
  readonly sessionHash: string;
}

/**
 * Tells open pages that something of theirs changed, so that they ask again. The rows are the truth: one look reads, for
 * all pages of this process together, what was added since the last look, whichever gateway of the store added it. A
 * look follows each poke and each hint of another process, and comes once a second anyway; with no page open there is
 * none. A change that is missed is found by the page's own slow poll, so nothing here can keep anything from anybody.
 */
export interface Changes {
  /**
   * Listens for a session, from the answer on. `too_many`: the session has as many open pages as it may have.
   * @returns how to stop.
   */
  listen(watcher: ChangeWatcher, listener: ChangeListener): Promise<(() => void) | "too_many">;
  /** Something may have changed: look soon. */
  poke(): void;
  /** How many listen; for tests. */
  readonly open: number;
  /** Ends every listener. */
  close(): void;
}

interface Entry {
  readonly watcher: ChangeWatcher;
  readonly listener: ChangeListener;
}

export function createChanges(deps: { readonly store: Store; readonly now: () => number; readonly log: Log }): Changes {
  const { store, now, log } = deps;
  const entries = new Set<Entry>();
  const seen = new Map<string, ReadonlyMap<ChangeKind, string>>();
  let cursors = createCursors();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let dueAt = 0;
  let again = false;
  let closed = false;

  /** The next look at the latest then: pokes that come faster than looks never put one off. */
  const plan = (ms: number): void => {
    const at = performance.now() + ms;
    if (timer !== undefined && dueAt <= at) return;
    clearTimeout(timer);
    timer = undefined;
    if (closed || entries.size === 0) return;
    dueAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      void look();
    }, ms).unref();
  };

  const end = (entry: Entry): void => {
    if (entries.delete(entry)) entry.listener.ended();
  };

  const lookOnce = async (): Promise<void> => {
    const hashes = new Set([...entries].map(({ watcher }) => watcher.sessionHash));
    const living = await livingSessions(store.db, [...hashes], now());
    for (const entry of entries)
      if (hashes.has(entry.watcher.sessionHash) && !living.has(entry.watcher.sessionHash)) end(entry);
    const people = new Map([...entries].map(({ watcher }) => [watcher.personId, watcher]));
    for (const personId of seen.keys()) if (!people.has(personId)) seen.delete(personId);
    if (entries.size === 0) return;
    const moved = await cursors.read(store.db);
    for (const [personId, owner] of people) {
      const before = seen.get(personId);
      const prints = await fingerprintsOf(store.db, owner);
      seen.set(personId, prints);
      const kinds = new Set<ChangeKind>();
      if (moved === "many" || moved.has(personId)) kinds.add("tasks");
      for (const [kind, print] of prints) if (before !== undefined && before.get(kind) !== print) kinds.add(kind);
      if (kinds.size === 0) continue;
      for (const { watcher, listener } of entries) if (watcher.personId === personId) listener.changed(kinds);
    }
  };

  /** One at a time; what is asked for meanwhile is one more afterwards. */
  const look = (): Promise<void> => {
    if (looking !== undefined) {
      again = true;
      return looking;
    }
    looking = store
      .as("system", lookOnce)
      .catch(() => log.warn("changes.look_failed"))
      .finally(() => {
        looking = undefined;
        const soon = again;
        again = false;
        plan(soon ? CHANGES_SPACING_MS : CHANGES_LOOK_MS);
      });
    return looking;
  };

  return {
    async listen(watcher, listener) {
      const own = [...entries].filter((entry) => entry.watcher.sessionHash === watcher.sessionHash);
      if (closed || own.length >= SESSION_STREAMS_MAX || entries.size >= CHANGES_ALL_MAX) return "too_many";
      const entry: Entry = { watcher, listener };
      const first = entries.size === 0;
      entries.add(entry);
      try {
        await looking;
        await store.as("system", async () => {
          if (first) {
            seen.clear();
            cursors = createCursors(await newestCursors(store.db));
          }
          if (!seen.has(watcher.personId)) seen.set(watcher.personId, await fingerprintsOf(store.db, watcher));
        });
      } catch (error) {
        entries.delete(entry);
        throw error;
      }
      plan(CHANGES_LOOK_MS);
      return () => {
        entries.delete(entry);
        if (entries.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
    poke() {
      if (looking !== undefined) again = true;
      else plan(CHANGES_SPACING_MS);
    },
    get open() {
      return entries.size;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const entry of entries) end(entry);
    },
  };
}

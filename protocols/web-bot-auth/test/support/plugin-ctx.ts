import type { PluginCtx, StoredValue, VaultRef } from "@countersign/plugin";
import { err, type Instant, ok, type Secret } from "@countersign/wire";
import { NOON_S } from "./world.ts";

/** A plugin's corner of a gateway in memory, with a clock that is moved by hand. */
export function pluginWorld() {
  let nowMs = NOON_S * 1000;
  const values = new Map<string, StoredValue>();
  const inserted = new Map<string, { readonly endsMs: number; readonly group: string | undefined }>();
  const vault = new Map<string, Secret<string>>();
  const logged: string[] = [];
  const note = (event: string) => void logged.push(event);
  let refs = 0;
  let counts = 0;
  const isKept = (key: string) => (inserted.get(key)?.endsMs ?? 0) > nowMs;
  const ctx: PluginCtx = {
    now: () => nowMs as Instant,
    signal: new AbortController().signal,
    log: { debug: note, info: note, warn: note, error: note },
    store: {
      get: async (key) => (isKept(key) ? { value: true, version: 1 } : values.get(key)),
      async put(key, value, ifVersion) {
        await Promise.resolve();
        if ((values.get(key)?.version ?? 0) !== ifVersion) return err("version_conflict");
        values.set(key, { value, version: ifVersion + 1 });
        return ok({ version: ifVersion + 1 });
      },
      async insertUnique(key, expiresAt, group) {
        if (isKept(key)) return false;
        inserted.set(key, { endsMs: expiresAt, group });
        return true;
      },
      async countUnique(most, group) {
        counts += 1;
        const ours = [...inserted].filter(([key, one]) => isKept(key) && (group === undefined || one.group === group));
        return Math.min(most, ours.length);
      },
      add: async () => err("over_max"),
    },
    vault: {
      async put(value) {
        refs += 1;
        const ref = `v${refs}` as VaultRef;
        vault.set(ref, value);
        return ref;
      },
      async use(ref, fn) {
        const value = vault.get(ref);
        return value === undefined ? err("unknown_ref") : ok(await fn(value.reveal()));
      },
      async remove(ref) {
        vault.delete(ref);
      },
    },
    sign: () => Promise.reject(new Error("no key")),
    fetch: () => Promise.reject(new Error("nothing is fetched here")),
  };
  return {
    ctx,
    logged,
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
    /** How often something was counted. */
    counts: () => counts,
    vaulted: () => [...vault.values()].map((value) => value.reveal()),
    stored: () => [...values],
  };
}

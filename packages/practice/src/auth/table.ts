import { TABLE_ENTRIES_MAX } from "../limits.ts";

/** A map whose entries end at an instant and whose size is bounded. */
export interface ExpiringTable<V> {
  readonly put: (key: string, value: V, expiresAtMs: number) => void;
  readonly get: (key: string, nowMs: number) => V | undefined;
  readonly delete: (key: string) => void;
  readonly clear: () => void;
}

export function createExpiringTable<V>(): ExpiringTable<V> {
  const rows = new Map<string, { readonly value: V; readonly expiresAtMs: number }>();
  return {
    put: (key, value, expiresAtMs) => {
      rows.delete(key);
      rows.set(key, { value, expiresAtMs });
      if (rows.size > TABLE_ENTRIES_MAX) {
        const oldest = rows.keys().next();
        if (!oldest.done) rows.delete(oldest.value);
      }
    },
    get: (key, nowMs) => {
      const row = rows.get(key);
      if (row && row.expiresAtMs <= nowMs) {
        rows.delete(key);
        return undefined;
      }
      return row?.value;
    },
    delete: (key) => {
      rows.delete(key);
    },
    clear: () => rows.clear(),
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, secret } from "@countersign/wire";
import { freshDatabase, type TestDatabase } from "../../../../tools/postgres/test-database.ts";
import { openStore, type Store, type StoreWhere } from "./store.ts";

// What tests of the store share; nothing outside tests imports it.

/** Opens a store that this build must be able to open. */
export async function opened(where: StoreWhere): Promise<Store> {
  const store = await openStore(where);
  assert(store.ok, `a store of this build opens${store.ok ? "" : `, but: ${store.reason}`}`);
  return store.value;
}

/** The embedded store in a directory, for tests that need nothing else. */
export async function openEmbedded(dataDir: string): Promise<Store> {
  return opened({ kind: "sqlite", dataDir });
}

export interface Place {
  readonly where: StoreWhere;
  remove(): Promise<void>;
}

/** An empty place of each kind: the same tests run on both. */
export const PLACES: Readonly<Record<StoreWhere["kind"], () => Promise<Place>>> = {
  async sqlite() {
    const dataDir = mkdtempSync(join(tmpdir(), "countersign-store-"));
    return {
      where: { kind: "sqlite", dataDir },
      remove: async () => rmSync(dataDir, { recursive: true, force: true }),
    };
  },
  async postgres() {
    const database = await freshDatabase();
    return { where: at(database), remove: () => database.drop() };
  },
};

export function at(database: TestDatabase): StoreWhere {
  return { kind: "postgres", url: secret(database.url) };
}

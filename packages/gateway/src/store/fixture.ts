import { assert } from "@countersign/wire";
import { openStore, type Store } from "./store.ts";

/** The embedded store in a directory, for tests that need nothing else; nothing outside tests imports it. */
export async function openEmbedded(dataDir: string): Promise<Store> {
  const store = await openStore({ kind: "sqlite", dataDir });
  assert(store.ok, "an embedded store of this build opens");
  return store.value;
}

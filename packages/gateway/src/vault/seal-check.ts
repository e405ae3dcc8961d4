import { fromBase64Url, toBase64Url } from "@countersign/wire";
import type { Store } from "../store/store.ts";
import { openText, type Sealer, sealText } from "./seal.ts";

const SETTING = "seal_check";
const TEXT = "countersign";

/** Whether this store's sealed values were sealed under our master key; the first start leaves the mark. */
export async function sealedUnderOurKey(store: Store, sealer: Sealer): Promise<boolean> {
  const context = `setting:${SETTING}`;
  const fresh = toBase64Url(sealText(sealer, context, TEXT));
  await store.db
    .insertInto("setting")
    .values({ name: SETTING, value: fresh })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await store.db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", SETTING)
    .executeTakeFirstOrThrow();
  const sealed = fromBase64Url(row.value);
  if (!sealed.ok) return false;
  try {
    return openText(sealer, context, sealed.value) === TEXT;
  } catch {
    return false;
  }
}

import { digestOfText } from "@countersign/wire";
import type { Db } from "../../store/store.ts";

/** A version of the key set by its number, or by the digest that the next version names as `prev`. */
export async function findKeySet(db: Db, asked: number | string): Promise<string | undefined> {
  if (typeof asked === "number") {
    const row = await db.selectFrom("key_set").select("jws").where("version", "=", asked).executeTakeFirst();
    return row?.jws;
  }
  for (const { jws } of await db.selectFrom("key_set").select("jws").execute()) {
    if ((await digestOfText(jws)) === asked) return jws;
  }
  return undefined;
}

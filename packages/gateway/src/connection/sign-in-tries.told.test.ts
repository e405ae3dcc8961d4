import { instant } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Core } from "../core.ts";
import { opened, PLACES, type Place } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import type { AccountRow } from "./accounts.ts";
import { takeTry } from "./sign-in-tries.ts";

const NOW = 1_796_000_000_000;
const owner = { tenantId: "t", personId: "p" };
const account: AccountRow = {
  account_ref: "a",
  tenant_id: "t",
  person_id: "p",
  destination: "d",
  name: "",
  identity: null,
  created_at: NOW,
};

describe.each(["sqlite", "postgres"] as const)("tries at a site on %s", (kind) => {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await PLACES[kind]();
    store = await opened(place.where);
    await store.as("system", () =>
      store.transaction(async (tx) => {
        await tx.insertInto("tenant").values({ tenant_id: "t", name: "n", created_at: NOW }).execute();
        const person = { person_id: "p", tenant_id: "t", name: "n", pseudonym: "x", created_at: NOW };
        await tx.insertInto("person").values(person).execute();
        await tx.insertInto("account").values(account).execute();
      }),
    );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  it("the account holder is warned once, when one is left, and not of one that was refused", async () => {
    let ids = 0;
    const newId = (prefix: string): string => {
      ids += 1;
      return `${prefix}_${ids}`;
    };
    const core = { store, now: () => instant(NOW), newId, channels: ["email"] as const } as unknown as Core;
    const told: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      await store.as({ tenantId: "t" }, () => takeTry(core, owner, account, "password"));
      const rows = await store.as("system", () => store.db.selectFrom("notice").select("kind").execute());
      told.push(rows.length);
    }
    expect(told).toEqual([0, 0, 1, 1, 1, 1]);
    const code = await store.as({ tenantId: "t" }, () => takeTry(core, owner, account, "code"));
    expect(code, "codes are counted by themselves").toEqual({ kind: "go", left: 3 });
  });
});

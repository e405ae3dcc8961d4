import { instant } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Core } from "../core.ts";
import { opened, PLACES, type Place } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import { beginContinuation, type ContinuationRow, completeContinuation, openContinuation } from "./continuations.ts";

const NOW = 1_796_000_000_000;
const SESSION = "session-hash";
const owner = { tenantId: "t", personId: "p" };
let refs = 0;
const core = {
  now: () => instant(NOW),
  newId: (prefix: string) => {
    refs += 1;
    return `${prefix}_${refs}`;
  },
  channels: [] as Core["channels"],
} as Core;

describe.each(["sqlite", "postgres"] as const)("a continuation on %s", (kind) => {
  let place: Place;
  let store: Store;
  let row: ContinuationRow;
  beforeEach(async () => {
    place = await PLACES[kind]();
    store = await opened(place.where);
    row = await store.as("system", () =>
      store.transaction(async (tx) => {
        await tx.insertInto("tenant").values({ tenant_id: "t", name: "n", created_at: NOW }).execute();
        const person = { person_id: "p", tenant_id: "t", name: "n", pseudonym: "x", created_at: NOW };
        await tx.insertInto("person").values(person).execute();
        const account = {
          account_ref: "a",
          tenant_id: "t",
          person_id: "p",
          destination: "d",
          name: "",
          identity: null,
        };
        await tx
          .insertInto("account")
          .values({ ...account, created_at: NOW })
          .execute();
        return openContinuation(core, tx, { ...owner, accountRef: "a", route: "http", kind: "connect" });
      }),
    );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  it("MFA-3 is spent once: the unique row decides, whoever still holds it as unspent", async () => {
    const spend = () =>
      store.as("system", () => store.transaction((tx) => completeContinuation(core, tx, row, SESSION)));
    const spent = await Promise.all(Array.from({ length: 8 }, spend));
    expect(spent.filter((won) => won)).toHaveLength(1);
    const uses = await store.as("system", () => store.db.selectFrom("continuation_use").selectAll().execute());
    expect(uses).toEqual([{ continuation_ref: row.continuation_ref, session_hash: SESSION, used_at: NOW }]);
  });

  it("MFA-3 U39 two sessions begin at once: one has it, the other is told", async () => {
    const attempts = ["one", "two"].map((session) =>
      store.as("system", () =>
        store.transaction((tx) => beginContinuation(core, tx, owner, row.continuation_ref, session)),
      ),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(answers.find((answer) => !answer.ok)).toMatchObject({ reason: "elsewhere" });
  });
});

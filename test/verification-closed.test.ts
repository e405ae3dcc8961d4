import type { LiveView } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { expect, it } from "vitest";
import { createHandOffs } from "../packages/gateway/src/connection/handoff.ts";
import { closeVerification } from "../packages/gateway/src/connection/verifications.ts";
import type { WaitingPage } from "../packages/gateway/src/connection/waiting-pages.ts";
import { sayAlive } from "../packages/gateway/src/execution/verify.ts";
import { orderThatWaits } from "./support/verification.ts";
import { inStore, readyWorld } from "./support/world.ts";

it("MFA-6 a page that one gateway keeps is over once another has settled what it was for", async () => {
  const ready = await readyWorld();
  try {
    const { core } = ready.world.gateway;
    const { taskId, ref } = await orderThatWaits({ agent: ready.agent, person: ready.person, refs: ready });
    await ready.person.post(`/continuations/${ref}/begin`);
    const seen = { closed: 0 };
    const view: LiveView = { subscribe: () => () => {}, input: async () => {} } as unknown as LiveView;
    const close = async () => {
      seen.closed += 1;
    };
    core.pages.keep(ref, { view, open: { close } } as unknown as WaitingPage, async () => {});
    const handOffs = createHandOffs(core);
    const active = async (change: { readonly expires_at?: number } = {}) => {
      const row = await inStore(ready.world.gateway, (db) =>
        db.selectFrom("continuation").selectAll().where("continuation_ref", "=", ref).executeTakeFirstOrThrow(),
      );
      assert(row.session_hash !== null, "the person has begun");
      return handOffs.active({ ...row, ...change }, row.session_hash);
    };
    await sayAlive(core, ref);
    expect(await active()).toMatchObject({ mode: "live" });
    expect(seen.closed).toBe(0);
    expect(await active({ expires_at: core.now() })).toBeUndefined();

    // The other gateway has no page: it calls the outcome unknown, in the one store.
    await core.store.as("system", () => core.store.transaction((tx) => closeVerification(tx, taskId, core.now())));
    expect(await active()).toBeUndefined();
    await sayAlive(core, ref);
    expect(core.pages.get(ref)).toBeUndefined();
    expect(seen.closed).toBe(1);
  } finally {
    await ready.world.close();
  }
});

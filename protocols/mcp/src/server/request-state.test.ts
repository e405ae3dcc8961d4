import type { JsonObject } from "@countersign/wire";
import { expect, it } from "vitest";
import type { Call } from "./call.ts";
import { openState, sealState } from "./request-state.ts";

/** Seals by keeping: what is under test is what the state is bound to, for how long, and how often. */
function calls() {
  const sealed = new Map<string, string>();
  const used = new Set<string>();
  let clock = Date.UTC(2031, 4, 1);
  const call = (clientId: string, params: JsonObject): Call =>
    ({
      host: {
        now: () => clock,
        newId: () => `state_${sealed.size}`,
        seal: (purpose: string, bound: string, text: string) => {
          const name = `${purpose} ${bound} ${sealed.size}`;
          sealed.set(name, text);
          return name;
        },
        unseal: (purpose: string, bound: string, name: string) =>
          name.startsWith(`${purpose} ${bound} `) ? sealed.get(name) : undefined,
      },
      caller: { tenantId: "t", personId: "p", clientId },
      store: { insertUnique: async (key: string) => !used.has(key) && used.add(key) !== undefined },
      method: "tools/call",
      params,
    }) as unknown as Call;
  const advance = (ms: number): void => {
    clock += ms;
  };
  return { call, advance };
}

it("MAP-1 a kept state is good for twenty minutes, once, and for this caller's very call", async () => {
  const { call, advance } = calls();
  const params = { name: "retail_order_submit", arguments: { quantity: 1 } };
  const mine = call("a", params);
  const state = { taskId: "task_1", round: 1 };
  const refused = { code: -32_602 };
  const first = sealState(mine, state);
  await expect(openState(call("b", params), first)).rejects.toMatchObject(refused);
  const other = call("a", { ...params, arguments: { quantity: 2 } });
  await expect(openState(other, first)).rejects.toMatchObject(refused);
  expect(await openState(mine, first)).toEqual(state);
  await expect(openState(mine, first)).rejects.toMatchObject(refused);
  const second = sealState(mine, state);
  advance(20 * 60_000);
  await expect(openState(mine, second)).rejects.toMatchObject(refused);
});

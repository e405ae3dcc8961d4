import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { socketOperator } from "../../countersign/src/conformance/operator.ts";
import { openThrowaway, type Throwaway } from "../../countersign/src/conformance/throwaway.ts";
import { openPage } from "../src/holder/page.ts";

let world: Throwaway;
beforeAll(async () => {
  const opened = await openThrowaway();
  if (!opened.ok) throw new Error(opened.reason);
  world = opened.value;
});
afterAll(() => world.close());

describe("the operator's people", () => {
  it("AUT-2 each in a tenant of their own: an agent asked for one is unknown to the other, and waits for its own", async () => {
    const operator = socketOperator(world.dataDir);
    const [one, two] = [await operator.addHolder("One"), await operator.addHolder("Two")];
    const settings = { gateway: world.issuer, issuer: world.issuer };
    const pages = [
      await openPage(settings, await operator.link(one.personId)),
      await openPage(settings, await operator.link(two.personId)),
    ] as const;
    const { clientId } = await operator.addAgent(one.personId, "Errands");
    await expect(operator.credential(clientId)).rejects.toThrow("waiting");
    const accept = { decision: "accept" };
    expect((await pages[1].post(`/agents/${clientId}/decision`, accept)).status).toBe(404);
    expect((await pages[0].post(`/agents/${clientId}/decision`, accept)).status).toBe(200);
    expect((await operator.credential(clientId)).clientId).toBe(clientId);
  });

  it("nobody is made up for a person that is not there", async () => {
    const operator = socketOperator(world.dataDir);
    await expect(operator.link("usr_nobody")).rejects.toThrow("no_such_person");
    await expect(operator.addAgent("usr_nobody", "Errands")).rejects.toThrow("no_such_person");
  });
});

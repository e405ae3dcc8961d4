import { a2aSite, createA2aRoute } from "@countersign/a2a/client";
import { assert, type JsonObject } from "@countersign/wire";
import { shopBindings } from "../../protocols/a2a/test/client-world.ts";
import { a2aWorld, orderData } from "../../test/support/a2a.ts";
import { Agent } from "../../test/support/agent.ts";
import { Person } from "../../test/support/person.ts";
import { freePort, openWorld } from "../../test/support/world.ts";
import { startForeign } from "./python.ts";
import { approve, buy, homeOf, ordersOf, type Scenario } from "./scenario.ts";

type BindingName = "JSONRPC" | "HTTP+JSON";

const bindings: readonly BindingName[] = ["JSONRPC", "HTTP+JSON"];
export const A2A_SCENARIOS: readonly Scenario[] = bindings.flatMap((binding) => [
  {
    name: `a2a: a foreign client buys at the gateway (${binding})`,
    play: (python: string) => foreignBuys(python, binding),
  },
  {
    name: `a2a: the gateway buys at a foreign agent (${binding})`,
    play: (python: string) => gatewayBuys(python, binding),
  },
]);

async function foreignBuys(python: string, binding: BindingName): Promise<void> {
  const ready = await a2aWorld();
  try {
    const foreign = startForeign(python, "a2a_buyer.py", {
      gateway: ready.world.issuer,
      token: ready.token,
      binding,
      wish: orderData(ready),
    });
    const told: JsonObject[] = [];
    for await (const said of foreign.said) {
      told.push(said);
      if (said["state"] === "TASK_STATE_AUTH_REQUIRED")
        await approve(ready.agent, ready.person, String(said["task_id"]));
    }
    assert((await foreign.ended) === 0, `the foreign client ends well: ${JSON.stringify(told)}`);
    const ended = told.at(-1) ?? {};
    assert(ended["state"] === "TASK_STATE_COMPLETED", `it is ordered: ${JSON.stringify(told)}`);
    assert(ready.world.shop.control.counters().orders === 1, "there is one order");
  } finally {
    await ready.world.close();
  }
}

const SITE = "a2a.foreign";
const SKILLS: readonly JsonObject[] = ["account", "quote", "quote-look", "order", "orders"].map((id) => ({
  id,
  name: id,
  description: `The skill ${id}.`,
  tags: ["shop"],
}));

async function gatewayBuys(python: string, binding: BindingName): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { identity, ...bound } = await shopBindings(SKILLS, "quote");
  const site = await a2aSite({
    id: SITE,
    title: "A foreign shop",
    agent: {
      cardPath: "/.well-known/agent-card.json",
      keys: [],
      keyOrigins: [],
      unsigned: "accepted",
      data: "skill_and_input",
    },
    bindings: bound,
    identity,
  });
  const world = await openWorld({
    sites: [site],
    destinations: [{ id: SITE, site: SITE, origin }],
    routes: () => [createA2aRoute({ extensions: () => [] })],
  });
  const shop = startForeign(python, "a2a_shop.py", { port, binding, issuer: world.issuer, skills: SKILLS });
  try {
    await ordersOf(origin);
    const person = await Person.signIn(world);
    const agent = await Agent.join(world, person);
    const begun = await person.post("/connections", { destination: SITE, route: "a2a" });
    const ref = String(begun.json["continuation_ref"]);
    await person.post(`/continuations/${ref}/begin`);
    const done = await person.post(`/continuations/${ref}/form`, { values: {} });
    assert(done.json["kind"] === "done", `the agent is connected: ${done.text}`);
    const accountRef = String(begun.json["account_ref"]);
    const consentRef = await agent.askGrant({ destination: SITE, operations: ["retail.order.submit"] });
    await person.grant(consentRef, accountRef);
    const fulfillmentRef = await homeOf(agent, accountRef);
    const result = await buy({ agent, person, accountRef, consentRef, fulfillmentRef });
    assert(result["order_number"] === "PY-1", `it is the shop's order: ${JSON.stringify(result)}`);
    assert((await ordersOf(origin)).length === 1, "there is one order");
  } finally {
    shop.stop();
    await shop.ended;
    await world.close();
  }
}

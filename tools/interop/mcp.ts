import { randomUUID } from "node:crypto";
import { type Bindings, bindings } from "@countersign/plugin";
import { createMcpRoute, mcpSite, toolDigest } from "@countersign/protocol-mcp/client";
import { assert, type Json, type JsonObject } from "@countersign/wire";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Agent, hoursAhead } from "../../test/support/agent.ts";
import { mcpWorld } from "../../test/support/mcp.ts";
import { Person } from "../../test/support/person.ts";
import { freePort, openWorld } from "../../test/support/world.ts";
import { startForeign } from "./python.ts";
import { approve, buy, homeOf, ordersOf, type Scenario } from "./scenario.ts";

export const MCP_SCENARIOS: readonly Scenario[] = [
  {
    name: "mcp: a foreign client of the newer revision buys at the gateway",
    play: (python) => foreignBuys(python, "auto"),
  },
  {
    name: "mcp: a foreign client of the older revision buys at the gateway",
    play: (python) => foreignBuys(python, "legacy"),
  },
  { name: "mcp: the gateway buys at a foreign server", play: gatewayBuys },
];

async function foreignBuys(python: string, mode: "auto" | "legacy"): Promise<void> {
  const ready = await mcpWorld();
  try {
    const foreign = startForeign(python, "mcp_buyer.py", {
      url: ready.url,
      token: ready.token,
      mode,
      grant: { account_ref: ready.accountRef, consent_ref: ready.consentRef },
      order: {
        parameters: {
          item_ref: "TL-200",
          quantity: 1,
          max_total_minor: 6000,
          currency: "EUR",
          fulfillment_ref: ready.fulfillmentRef,
        },
        idempotency_key: randomUUID(),
        expires_at: hoursAhead(2),
      },
    });
    const told: JsonObject[] = [];
    for await (const said of foreign.said) {
      told.push(said);
      if (said["step"] === "again") await approve(ready.agent, ready.person, String(said["task_id"]));
    }
    assert((await foreign.ended) === 0, `the foreign client ends well: ${JSON.stringify(told)}`);
    const of = (step: string) => told.find((one) => one["step"] === step) ?? {};
    assert(of("again")["task_id"] === of("proposed")["task_id"], "a call that is sent again is the same task");
    assert(of("ended")["state"] === "succeeded", `it is ordered: ${JSON.stringify(of("ended"))}`);
    assert(ready.world.shop.control.counters().orders === 1, "there is one order");
  } finally {
    await ready.world.close();
  }
}

async function gatewayBuys(python: string): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const token = randomUUID();
  const shop = startForeign(python, "mcp_shop.py", { port, token });
  try {
    await ordersOf(origin);
    const site = await mcpSite({
      id: "mcp.foreign",
      title: "A foreign shop",
      path: "/mcp",
      signIn: { kind: "token", label: "Token" },
      bindings: await shopBindings(`${origin}/mcp`, token),
    });
    const world = await openWorld({
      sites: [site],
      destinations: [{ id: "foreign", site: site.id, origin }],
      routes: () => [createMcpRoute()],
    });
    try {
      const person = await Person.signIn(world);
      const agent = await Agent.join(world, person);
      const begun = await person.post("/connections", { destination: "foreign", route: "mcp" });
      const ref = String(begun.json["continuation_ref"]);
      const form = await person.post(`/continuations/${ref}/begin`);
      const [field] = form.json["fields"] as { readonly name: string }[];
      const done = await person.post(`/continuations/${ref}/form`, { values: { [field?.name ?? ""]: token } });
      assert(done.json["kind"] === "done", `the account is connected: ${done.text}`);
      const accountRef = String(begun.json["account_ref"]);
      const consentRef = await agent.askGrant({ destination: "foreign", operations: ["retail.order.submit"] });
      await person.grant(consentRef, accountRef);
      const fulfillmentRef = await homeOf(agent, accountRef);
      const result = await buy({ agent, person, accountRef, consentRef, fulfillmentRef });
      assert(result["order_number"] === "PY-1", `it is the shop's order: ${JSON.stringify(result)}`);
      assert((await ordersOf(origin)).length === 1, "there is one order");
    } finally {
      await world.close();
    }
  } finally {
    shop.stop();
    await shop.ended;
  }
}

/** What an operator does: looks at the tools, and binds each by its digest. */
async function shopBindings(url: string, token: string): Promise<Bindings> {
  const client = new Client({ name: "operator", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  await client.close();
  const call = async (name: string, args: JsonObject = {}) => {
    const tool = tools.find((one) => one.name === name);
    assert(tool !== undefined, `the foreign shop has the tool ${name}`);
    return { name, digest: await toolDigest(tool as unknown as JsonObject), arguments: args };
  };
  const from = (pointer: string): Json => ({ $from: pointer });
  const outcome = (at: string) => ({
    confirmation: from(`${at}/number`),
    result: { order_number: from(`${at}/number`), currency: "EUR", total_minor: from(`${at}/total_minor`) },
    observed: { currency: "EUR", total_minor: from(`${at}/total_minor`) },
  });
  return bindings.parse({
    identity: {
      call: await call("whoami"),
      name: from("/answer/name"),
      key: from("/answer/id"),
      details: [
        { kind: "fulfillment", each: "/answer/addresses", site_key: from("/item/id"), label: from("/item/label") },
      ],
    },
    commits: [
      {
        operation: "retail.order.submit",
        details: ["fulfillment_ref"],
        terms: {
          call: await call("quote", {
            sku: from("/parameters/item_ref"),
            quantity: from("/parameters/quantity"),
            address: from("/details/fulfillment_ref/site_key"),
          }),
          keep: { quote_id: from("/answer/quote_id") },
          terms: {
            payee: from("/destination/host"),
            currency: from("/answer/currency"),
            minor_digits: { $digits: "/answer/currency" },
            total_minor: from("/answer/total_minor"),
            lines: [
              {
                kind: "item",
                ref: from("/answer/sku"),
                title: from("/answer/title"),
                quantity: from("/answer/quantity"),
                unit_minor: from("/answer/unit_minor"),
              },
            ],
            instrument: "the shop's account",
            fulfillment_ref: from("/parameters/fulfillment_ref"),
          },
        },
        commit: {
          call: await call("order", { quote_id: from("/kept/quote_id"), reference: from("/key") }),
          confirmed: {
            when: [{ value: from("/answer/sku"), is: from("/parameters/item_ref") }],
            ...outcome("/answer"),
          },
        },
        read_back: {
          call: await call("orders", { limit: 50 }),
          each: "/answer/orders",
          id: "/item/number",
          at: "/item/placed_at",
          match: [{ value: from("/item/reference"), is: from("/key") }],
          found: outcome("/item"),
          absent: "not_done",
        },
      },
    ],
  });
}

import { type Bindings, bindings as bindingsSchema } from "@countersign/plugin";
import { OPERATIONS } from "@countersign/profile";
import { assert, type Json, type JsonObject } from "@countersign/wire";
import { Agent } from "../../../test/support/agent.ts";
import { Person } from "../../../test/support/person.ts";
import { openWorld, type World, type WorldOptions } from "../../../test/support/world.ts";
import {
  type A2aSiteSetting,
  a2aSite,
  type CardSkill,
  createA2aRoute,
  GET_TASK_NAME,
  getTaskDigest,
  skillDigest,
} from "../src/client/index.ts";
import { RECEIPTS, type RemoteAgent, startRemoteAgent } from "./client-remote-agent.ts";

export const SITE = "harbour-agent";

export interface AgentWorld {
  readonly world: World;
  readonly remote: RemoteAgent;
  readonly person: Person;
  readonly agent: Agent;
}

export interface AgentWorldOptions extends Omit<WorldOptions, "sites" | "destinations" | "routes"> {
  readonly binding?: "JSONRPC" | "HTTP+JSON";
  /** `quote`: an order by a quote's name, read back in the list. `task`: within the task of its quote, read back by it. */
  readonly by?: "quote" | "task";
  readonly agent?: Partial<A2aSiteSetting["agent"]>;
  readonly spoken?: readonly string[];
}

/** A gateway that reaches a real remote agent on loopback. */
export async function openAgentWorld(options: AgentWorldOptions = {}): Promise<AgentWorld> {
  const { binding = "JSONRPC", by = "quote", agent = {}, spoken = [RECEIPTS], ...rest } = options;
  const known: { issuer?: string } = {};
  const remote = await startRemoteAgent({
    issuer: () => {
      assert(known.issuer !== undefined, "the gateway stands before its agent is called");
      return known.issuer;
    },
    binding,
  });
  const { identity, ...bound } = await shopBindings(remote.skills, by);
  const site = await a2aSite({
    id: SITE,
    title: "Harbour agent",
    agent: {
      cardPath: "/.well-known/agent-card.json",
      keys: [remote.signer.publicJwk],
      keyOrigins: [],
      unsigned: "refused",
      data: "skill_and_input",
      ...agent,
    },
    bindings: bound,
    identity,
  });
  const world = await openWorld({
    ...rest,
    catalogue: OPERATIONS,
    sites: [site],
    destinations: [{ id: SITE, site: SITE, origin: remote.origin }],
    routes: () => [createA2aRoute({ extensions: () => spoken.map((uri) => ({ uri, accepts: () => true })) })],
  });
  known.issuer = world.issuer;
  const person = await Person.signIn(world);
  const caller = await Agent.join(world, person);
  return { world, remote, person, agent: caller };
}

export interface Connected {
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

/** The person agrees to the agent; the account is the agent's word. */
export async function beginConnecting({ person }: AgentWorld): Promise<{
  readonly accountRef: string;
  submit(): Promise<JsonObject>;
}> {
  const begun = await person.post("/connections", { destination: SITE, route: "a2a" });
  const ref = String(begun.json["continuation_ref"]);
  const begin = await person.post(`/continuations/${ref}/begin`);
  assert(begin.status === 200 && begin.json["mode"] === "form", `the hand-off begins: ${begin.text}`);
  return {
    accountRef: String(begun.json["account_ref"]),
    submit: async () => (await person.post(`/continuations/${ref}/form`, { values: {} })).json,
  };
}

export async function connected(ready: AgentWorld): Promise<Connected> {
  const { person, agent } = ready;
  const connecting = await beginConnecting(ready);
  const done = await connecting.submit();
  assert(done["kind"] === "done", `the agent is connected: ${JSON.stringify(done)}`);
  const { accountRef } = connecting;
  const consentRef = await agent.askGrant({
    destination: SITE,
    operations: ["retail.orders.list", "retail.order.submit"],
  });
  const granted = await person.grant(consentRef, accountRef);
  assert(granted.status === 200, `the person grants it: ${granted.text}`);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref;
  assert(fulfillmentRef !== undefined, "the account has a home address");
  return { accountRef, consentRef, fulfillmentRef };
}

const from = (pointer: string): Json => ({ $from: pointer });

export async function shopBindings(skills: readonly JsonObject[], by: "quote" | "task"): Promise<Bindings> {
  const bound = async (name: string, args: Json) => {
    if (name === GET_TASK_NAME) return { name, digest: await getTaskDigest(), arguments: args };
    const skill = skills.find(({ id }) => id === name) as unknown as CardSkill;
    return { name, digest: await skillDigest(skill), arguments: args };
  };
  const asked = {
    sku: from("/parameters/item_ref"),
    quantity: from("/parameters/quantity"),
    address: from("/details/fulfillment_ref/site_key"),
  };
  const terms = {
    payee: from("/destination/host"),
    currency: from("/answer/data/currency"),
    minor_digits: { $digits: "/answer/data/currency" },
    total_minor: from("/answer/data/total_minor"),
    lines: [
      {
        kind: "item",
        ref: from("/answer/data/sku"),
        title: from("/answer/data/title"),
        quantity: from("/answer/data/quantity"),
        unit_minor: from("/answer/data/unit_minor"),
      },
    ],
    instrument: "the agent's account",
    fulfillment_ref: from("/parameters/fulfillment_ref"),
  };
  const outcome = (at: string) => ({
    confirmation: from(`${at}/number`),
    result: {
      order_number: from(`${at}/number`),
      currency: from("/terms/currency"),
      total_minor: from(`${at}/total_minor`),
    },
    observed: { currency: from("/terms/currency"), total_minor: from(`${at}/total_minor`) },
  });
  const refused = [{ when: [{ value: from("/answer/data/error"), is: "sold_out" }], why: "the item is sold out" }];
  const quote = {
    details: ["fulfillment_ref"],
    terms: {
      call: await bound("quote", asked),
      keep: { quote: from("/answer/data/quote_id") },
      terms,
      personal: { ship_to: from("/details/fulfillment_ref/label") },
    },
    look: {
      call: await bound("quote-look", { quote_id: from("/kept/quote") }),
      terms,
      personal: { ship_to: from("/details/fulfillment_ref/label") },
    },
    commit: {
      call: await bound("order", { quote_id: from("/kept/quote"), key: from("/key") }),
      confirmed: {
        when: [{ value: from("/answer/data/sku"), is: from("/parameters/item_ref") }],
        ...outcome("/answer/data"),
      },
      refused,
    },
    read_back: {
      call: await bound("orders", {}),
      each: "/answer/data/orders",
      id: "/item/number",
      at: "/item/placed_at",
      match: [
        { value: from("/item/sku"), is: from("/parameters/item_ref") },
        { value: from("/item/key"), is: from("/key") },
      ],
      found: outcome("/item"),
      absent: "not_done",
    },
  };
  const task = {
    details: ["fulfillment_ref"],
    terms: {
      call: await bound("quote", { ...asked, wait: true }),
      keep: {
        quote: from("/answer/data/quote_id"),
        task: from("/answer/task/id"),
        context: from("/answer/task/context_id"),
      },
      terms,
      personal: { ship_to: from("/details/fulfillment_ref/label") },
    },
    commit: {
      call: await bound("order", {
        "a2a:task": from("/kept/task"),
        "a2a:context": from("/kept/context"),
        quote_id: from("/kept/quote"),
        key: from("/key"),
      }),
      confirmed: outcome("/answer/data"),
      refused,
    },
    read_back: {
      call: await bound(GET_TASK_NAME, { "a2a:task": from("/kept/task") }),
      match: [{ value: from("/item/task/state"), is: "COMPLETED" }],
      found: outcome("/item/data"),
      absent: "proves_nothing",
    },
  };
  return bindingsSchema.parse({
    identity: {
      call: await bound("account", {}),
      name: from("/answer/data/name"),
      key: from("/answer/data/id"),
      details: [
        {
          kind: "fulfillment",
          each: "/answer/data/addresses",
          site_key: from("/item/id"),
          label: from("/item/label"),
          value: { text: from("/item/text") },
        },
      ],
    },
    reads: [
      {
        operation: "retail.orders.list",
        call: await bound("orders", {}),
        result: {
          orders: {
            $each: "/answer/data/orders",
            $as: {
              order_number: from("/item/number"),
              currency: "EUR",
              total_minor: from("/item/total_minor"),
              lines: [{ title: from("/item/sku"), quantity: from("/item/quantity") }],
            },
          },
        },
      },
    ],
    commits: [{ operation: "retail.order.submit", ...(by === "quote" ? quote : task) }],
  });
}

import { createHttpRoute } from "@countersign/route-http";
import { assert } from "@countersign/wire";
import { Agent } from "../../../../test/support/agent.ts";
import { Person } from "../../../../test/support/person.ts";
import { openWorld, type World, type WorldOptions } from "../../../../test/support/world.ts";
import { createMcpRoute, mcpSite } from "../../src/client/index.ts";
import { shopBindings } from "./upstream/bindings.ts";
import { startUpstream, type Upstream } from "./upstream/server.ts";

export interface UpstreamWorld {
  readonly world: World;
  readonly upstream: Upstream;
  readonly person: Person;
  readonly agent: Agent;
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
  close(): Promise<void>;
}

/** A gateway whose destination is the upstream shop, reached by MCP alone, with everything that production has. */
export async function upstreamWorld(options: WorldOptions = {}): Promise<UpstreamWorld> {
  const upstream = await startUpstream();
  const site = await mcpSite({
    id: "mcp.upstream",
    title: "The upstream shop",
    path: "/mcp",
    signIn: { kind: "oauth" },
    bindings: await shopBindings(),
  });
  const world = await openWorld({
    ...options,
    sites: [site],
    destinations: [{ id: "upstream", site: site.id, origin: upstream.origin }],
    routes: () => [createHttpRoute(), createMcpRoute()],
  });
  const person = await Person.signIn(world);
  const agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination: "upstream", route: "mcp" });
  const accountRef = String(begun.json["account_ref"]);
  await signInUpstream(person, String(begun.json["continuation_ref"]));
  const consentRef = await agent.askGrant({
    destination: "upstream",
    operations: ["retail.orders.list", "retail.order.submit"],
  });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const [home] = capabilities.json["references"] as { ref: string }[];
  assert(home !== undefined, `the account has an address: ${capabilities.text}`);
  return {
    world,
    upstream,
    person,
    agent,
    accountRef,
    consentRef,
    fulfillmentRef: home.ref,
    async close() {
      await world.close();
      await upstream.close();
    },
  };
}

/** Goes to the upstream's own page, agrees there, and comes back, as a browser does. */
export async function signInUpstream(person: Person, ref: string): Promise<void> {
  const back = await goThere(person, ref);
  const done = await person.post(`/continuations/${ref}/returned`, { answer: back.search });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

export async function goThere(person: Person, ref: string): Promise<URL> {
  const begin = await person.post(`/continuations/${ref}/begin`);
  assert(begin.json["mode"] === "redirect", `the person goes elsewhere: ${begin.text}`);
  const answer = await fetch(String(begin.json["go_to"]), { redirect: "manual" });
  assert(answer.status === 302, `the upstream sends back: ${await answer.text()}`);
  return new URL(answer.headers.get("location") ?? "");
}

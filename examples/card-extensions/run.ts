import { a2aPlugin } from "@countersign/a2a";
import { a2aSite, skillDigest } from "@countersign/a2a/client";
import { fromKernel } from "@countersign/gateway";
import { type BuildResult, buildProtocols, gatewayPlugin, type Kernel } from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { Agent } from "../../test/support/agent.ts";
import { Person } from "../../test/support/person.ts";
import { openWorld, type World } from "../../test/support/world.ts";
import { GIFT_WRAP, giftWrap } from "./gift-wrap.ts";
import { startWrappingAgent } from "./wrapping-agent.ts";

// EX-03: what stands on an agent card is what plugins contribute. Three gateways are started one after the other, each
// with the set of plugins that is said; the world around them is the one that the project's own tests use.

const say = (text = "") => console.log(text);
const wrong: string[] = [];
const expect = (what: string, holds: boolean) => void (holds || wrong.push(what));

const remote = await startWrappingAgent();
const site = await a2aSite({
  id: "wrapping-agent",
  title: "Wrapping agent",
  agent: {
    cardPath: "/.well-known/agent-card.json",
    keys: [],
    keyOrigins: [],
    // On this machine nobody has a key that somebody else trusts. With a real agent, leave that out.
    unsigned: "accepted",
    data: "skill_and_input",
  },
  bindings: { reads: [], commits: [] },
  identity: {
    call: { name: remote.skill.id, digest: await skillDigest(remote.skill as never), arguments: {} },
    name: { $from: "/answer/data/name" },
    key: { $from: "/answer/data/id" },
    details: [],
  },
});

const ships = setOf(buildProtocols([gatewayPlugin, a2aPlugin]));
const more = setOf(ships.with(giftWrap));
const again = setOf(more.without(giftWrap.manifest.id));

say("EX-03  Extensions on an agent card\n");
say("1. The card of a gateway as it ships:");
await withGateway(ships, async (world) => {
  expect("the card has its own two", !(await shown(world)).includes(GIFT_WRAP));
  say(`\n   Somebody's agent at ${remote.origin} requires ${GIFT_WRAP}.`);
  say("   The account holder wants to connect it, and reads:");
  const answer = await connect(world);
  say(`     ${String(answer["message"])}`);
  say("   What the agent has heard:");
  const heard = told();
  expect("it is refused", answer["kind"] === "refused");
  expect("only its card was asked for", heard.length === 1 && heard[0]?.startsWith("GET ") === true);
});

say("\n2. With somebody else's plugin (gift-wrap.ts):");
await withGateway(more, async (world) => {
  expect("the plugin's stands on the card", (await shown(world)).at(-1) === GIFT_WRAP);
  say("   A client that activates it is told so:");
  expect("it is activated", (await activated(world)) === GIFT_WRAP);
  say("\n   The account holder connects the agent:");
  const answer = await connect(world);
  say(`     ${answer["kind"] === "done" ? "Connected." : String(answer["message"])}`);
  say("   What the agent has heard:");
  expect("the agent is called", answer["kind"] === "done" && told().some((line) => line.includes("POST /a2a")));
});

say("\n3. Without the plugin again:");
await withGateway(again, async (world) => {
  expect("it is gone from the card", !(await shown(world)).includes(GIFT_WRAP));
  say("   A client that activates it is told nothing:");
  expect("nobody can activate it", (await activated(world)) === "");
});

await remote.close();
for (const what of wrong) console.error(`This did not come about: ${what}.`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function setOf(built: BuildResult): Kernel {
  assert(built.ok, "the plugins fit together");
  return built.kernel;
}

async function withGateway(kernel: Kernel, work: (world: World) => Promise<void>): Promise<void> {
  const { bindings = [], http = [], routes } = fromKernel(kernel);
  const destinations = [{ id: "wrapping-agent", site: site.id, origin: remote.origin }];
  const world = await openWorld({ bindings, http, routes, sites: [site], destinations });
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** The extensions on the gateway's card, as anybody reads them. */
async function shown({ issuer }: World): Promise<readonly string[]> {
  const card = (await (await fetch(`${issuer}/.well-known/agent-card.json`)).json()) as {
    capabilities: { extensions: { uri: string; description: string; params?: JsonObject }[] };
  };
  for (const { uri, params } of card.capabilities.extensions)
    say(`     ${uri}${params === undefined ? "" : `   ${JSON.stringify(params)}`}`);
  return card.capabilities.extensions.map(({ uri }) => uri);
}

/** Which extension an answer of the gateway says that it has activated. */
async function activated(world: World): Promise<string> {
  const agent = await Agent.join(world, await Person.signIn(world));
  const token = await agent.tokenFor(`${world.issuer}/a2a`);
  const answer = await fetch(`${world.issuer}/a2a/message:send`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "a2a-version": "1.0",
      "a2a-extensions": GIFT_WRAP,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      message: { messageId: "1", role: "ROLE_USER", parts: [{ data: { skill: "accounts" } }] },
    }),
  });
  const uris = answer.headers.get("a2a-extensions") ?? "";
  say(`     A2A-Extensions: ${GIFT_WRAP}   ->   ${answer.status}, A2A-Extensions: ${uris}`);
  return uris;
}

/** The account holder connects the agent in the trusted interface. */
async function connect(world: World): Promise<JsonObject> {
  const person = await Person.signIn(world);
  const begun = await person.post("/connections", { destination: "wrapping-agent", route: "a2a" });
  const ref = String(begun.json["continuation_ref"]);
  await person.post(`/continuations/${ref}/begin`);
  return (await person.post(`/continuations/${ref}/form`, { values: {} })).json;
}

function told(): readonly string[] {
  for (const line of remote.heard) say(`     ${line}`);
  return remote.heard.splice(0);
}

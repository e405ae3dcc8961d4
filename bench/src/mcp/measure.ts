import { assert, isJsonObject, type JsonObject } from "@countersign/wire";
import { Agent } from "../../../test/support/agent.ts";
import { type McpReady, mcpWorld, rawCall } from "../../../test/support/mcp.ts";
import { atMost, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { rawSqlite } from "../raw/sqlite.ts";
import { withScratch } from "../scratch.ts";
import { spread } from "../stats.ts";
import { openBareServer } from "./bare.ts";

const RATIO_MAX = 2.5;
/** They take turns: together they stay below the 600 requests a minute that the gateway lets one agent make. */
const AGENTS = 4;
const TURNS = { full: 400, quick: 60 } as const;
/** Both sides are measured as they run when they have run for a while. */
const WARM_UP = { full: 400, quick: 60 } as const;

/**
 * A read of the practice shop's orders by `tools/call`, through the gateway beside a bare server of the same library
 * with the same tool, turn by turn. Beside them what the difference is made of: a call that passes the door and makes no
 * task, and one durable commit of this machine's SQLite.
 */
export async function measureMcp(options: Options): Promise<readonly Measurement[]> {
  const ready = await mcpWorld({ logLevel: "error" });
  const bare = await openBareServer(ready.world.shop.origin, await shopToken(ready));
  const commitMs = await withScratch(async (directory) => 1_000 / rawSqlite(directory, 1));
  try {
    const agents = [ready, ...(await Promise.all(Array.from({ length: AGENTS - 1 }, () => another(ready))))];
    const times = { read: [] as number[], bare: [] as number[], door: [] as number[] };
    for (let turn = 0; turn < WARM_UP[options.scale] + TURNS[options.scale]; turn += 1) {
      const agent = agents[turn % agents.length] ?? ready;
      const args = { account_ref: ready.accountRef, consent_ref: agent.consentRef, parameters: { limit: 5 } };
      const read = await timed(agent, "retail_orders_list", args);
      const theirs = await timed({ ...agent, url: bare.url }, "retail_orders_list", args);
      const door = await timed(agent, "accounts_list", {});
      if (turn < WARM_UP[options.scale]) continue;
      times.read.push(read);
      times.bare.push(theirs);
      times.door.push(door);
    }
    const [ours, theirs, door] = [spread(times.read), spread(times.bare), spread(times.door)];
    const ratio = ours.p50 / theirs.p50;
    return [
      {
        name: "mcp-read",
        what: "tools/call of a read at the practice shop's API, beside the bare library with the same tool",
        figures: {
          p50_ms: ours.p50,
          p99_ms: ours.p99,
          bare_p50_ms: theirs.p50,
          bare_p99_ms: theirs.p99,
          ratio,
          door_p50_ms: door.p50,
          durable_commit_ms: commitMs,
        },
        targets: [atMost("a read over MCP beside the bare library, times", ratio, RATIO_MAX)],
      },
    ];
  } finally {
    await bare.close();
    await ready.world.close();
  }
}

interface Caller {
  readonly url: string;
  readonly token: string;
  readonly consentRef: string;
}

/** One more agent with a grant for the same account. */
async function another({ world, person, accountRef, url }: McpReady): Promise<Caller> {
  const agent = await Agent.join(world, person);
  const consentRef = await agent.askGrant({ account_ref: accountRef, operations: ["retail.orders.list"] });
  await person.grant(consentRef, accountRef);
  return { url, token: await agent.tokenFor(url), consentRef };
}

async function timed(where: Pick<Caller, "url" | "token">, name: string, args: JsonObject): Promise<number> {
  const from = performance.now();
  const answer = await rawCall(where, { method: "tools/call", params: { name, arguments: args } });
  const text = await answer.text();
  const took = performance.now() - from;
  assert(answer.status === 200 && !text.includes('"isError":true'), `the tool answers: ${text.slice(0, 300)}`);
  return took;
}

/** A session of the bare server's own at the shop, as its person would make one. */
async function shopToken({ world: { shop } }: McpReady): Promise<string> {
  const begun = await post(`${shop.origin}/api/v1/session`, { email: shop.user.email, password: shop.user.password });
  const challenge = String(begun["challenge"]);
  const done = await post(`${shop.origin}/api/v1/session/verify`, { challenge, code: shop.currentCode() });
  const { token } = done;
  assert(typeof token === "string", "the shop signs its person in");
  return token;
}

async function post(url: string, body: JsonObject): Promise<JsonObject> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json: unknown = await answer.json();
  assert(isJsonObject(json as JsonObject), "the shop answers with an object");
  return json as JsonObject;
}

/**
 * The program that the official suite starts for each client scenario: `node main.ts SERVER_URL`. It is the gateway's own
 * MCP route: its sign-in, its tokens, its door and its session; what is added is a person who agrees at once and an
 * operator who binds each tool as the server lists it.
 */
import { secret } from "@countersign/wire";
import { runCalls } from "./calls.ts";
import { suiteCtx } from "./ctx.ts";
import { upstreamAt } from "./upstream.ts";

const url = new URL(process.argv.at(-1) ?? "");
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Record<string, unknown>;
const isLegacy = (process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "") < "2026";
/** One sign-in, and one more where the server asks for more; a server that goes on asking gets no third. */
const ROUNDS_MAX = 3;

const origins = new Set([url.origin]);
const ctx = suiteCtx(origins);
const upstream = upstreamAt({ ctx, url, origins, scenario, context, isLegacy });

let material = scenario.startsWith("auth/")
  ? await upstream.signIn()
  : secret(JSON.stringify({ v: 1, kind: "token", access: "nobody-asks-for-it" }));
for (let round = 1; material !== undefined; round++) {
  const ended = await runCalls(upstream.open(material), scenario, context);
  if (ended !== "sign_in" || round === ROUNDS_MAX) break;
  material = await upstream.signIn();
}

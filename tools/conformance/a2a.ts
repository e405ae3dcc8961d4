/**
 * The requirements of A2A 1.0, from outside, against a served gateway: `npm run conformance:a2a [-- WORD]`, with only the
 * rows whose id contains the word. The official suite needs Python; these are its requirements, by their ids.
 */

import { otherExtensionPoint } from "@countersign/a2a";
import { definePlugin } from "@countersign/plugin";
import { type A2aReady, a2aWorld, wireOf } from "../../test/support/a2a.ts";
import { BINDINGS, type BindingName } from "../../test/support/a2a-wire.ts";
import { Agent } from "../../test/support/agent.ts";
import { openReceiver } from "../../test/support/webhook.ts";
import { AUTH_ROWS } from "./a2a/auth.ts";
import { CORE_ROWS } from "./a2a/core.ts";
import { type Kit, kitFor, type LeftOut, type Row } from "./a2a/kit.ts";
import { PUSH_ROWS } from "./a2a/push.ts";
import { SHAPE_ROWS } from "./a2a/shape.ts";

const ROWS: readonly Row[] = [...CORE_ROWS, ...PUSH_ROWS, ...SHAPE_ROWS, ...AUTH_ROWS];

const LEFT_OUT: readonly LeftOut[] = [
  { id: "CARD-EXT-002", why: "there is an extended card, so its absence has no error" },
  { id: "CARD-CACHE-003", why: "Last-Modified is optional, and the ETag says more" },
  { id: "CARD-SIGN-004", why: "what a client does with revoked keys; our own client has its tests" },
  { id: "AUTH-SERVER-001, VER-CLIENT-001, 002", why: "what a client does; our own client has its tests" },
  { id: "TLS-001, TLS-002", why: "TLS ends at the operator's own front; here the gateway is at loopback" },
  { id: "GRPC-*", why: "the card offers no gRPC" },
];

const needed = definePlugin({
  manifest: { id: "host.needed", version: "1", title: "Needs an extension", opens: [], uses: [otherExtensionPoint] },
  contribute(put) {
    const uri = "https://extensions.example/needed/v1";
    const value = { uri, description: "Has to be activated.", required: true };
    put(otherExtensionPoint, { id: "needed", key: uri, order: 10, value });
  },
});

const asked = process.argv[2] ?? "";
const ready = await a2aWorld({ taskWebhooks: "loopback_too" });
const requiring = await a2aWorld({}, [needed]);
const pushless = await a2aWorld({ taskWebhooks: "off" });
const receiver = await openReceiver();
const stranger = await Agent.join(ready.world, ready.person, "Another agent");
/** Fresh tokens: one lives five minutes, and a slow machine takes longer than that. */
async function freshKit(): Promise<Kit> {
  const wire = async (one: A2aReady, agent = one.agent) => wireOf(one, "JSONRPC", await agent.tokenFor(one.url));
  return {
    ready,
    wire: await wire(ready),
    stranger: await wire(ready, stranger),
    receiver,
    requiring: await wire(requiring),
    pushless: await wire(pushless),
  };
}
const TOKENS_FOR_MS = 60_000;
let kit = await freshKit();
let renewAt = performance.now() + TOKENS_FOR_MS;

const counts = { passed: 0, failed: 0 };
for (const row of ROWS) {
  if (!row.id.includes(asked)) continue;
  const over: readonly BindingName[] = row.over === "both" ? BINDINGS : [row.over === "card" ? "JSONRPC" : row.over];
  for (const binding of over) {
    if (performance.now() > renewAt) {
      kit = await freshKit();
      renewAt = performance.now() + TOKENS_FOR_MS;
    }
    const problem = await row.run(kitFor(kit, binding)).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    counts[problem === undefined ? "passed" : "failed"] += 1;
    const where = row.over === "card" ? "" : ` [${binding}]`;
    console.log(`${problem === undefined ? "ok    " : "FAILED"}  ${row.id}${where}: ${row.says}`);
    if (problem !== undefined) console.log(problem.replace(/^/gm, "          "));
  }
}
for (const { id, why } of LEFT_OUT) console.log(`left out  ${id}: ${why}`);

await receiver.close();
for (const one of [ready, requiring, pushless]) await one.world.close();
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);

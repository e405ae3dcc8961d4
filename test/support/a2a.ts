import { randomUUID } from "node:crypto";
import { a2aPluginWith } from "@countersign/a2a";
import { fromKernel } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin, type Plugin } from "@countersign/plugin";
import { assert, type Json, type JsonObject } from "@countersign/wire";
import { type BindingName, dataMessage, type Wire } from "./a2a-wire.ts";
import { hoursAhead } from "./agent.ts";
import { readyWorld, type WorldOptions } from "./world.ts";

export type A2aReady = Awaited<ReturnType<typeof a2aWorld>>;

/** As in production, but for a block that ends sooner. */
export const BLOCK_MS = 12_000;

/** A ready world with the A2A door, built as the composition root builds it, and a token for it. */
export async function a2aWorld(options: WorldOptions = {}, more: readonly Plugin[] = []) {
  const built = buildProtocols([gatewayPlugin, a2aPluginWith({ blockMs: BLOCK_MS }), ...more]);
  assert(built.ok, built.ok ? "" : built.problems.map((p) => p.message).join("; "));
  const { bindings = [], http = [] } = fromKernel(built.kernel);
  const ready = await readyWorld({ ...options, bindings, http });
  const url = `${ready.world.issuer}/a2a`;
  return { ...ready, url, token: await ready.agent.tokenFor(url) };
}

export function wireOf(ready: Pick<A2aReady, "world" | "token">, binding: BindingName, token = ready.token): Wire {
  return { issuer: ready.world.issuer, token, binding };
}

/** What an order asks for, as the data of a message. */
export function orderData(
  ready: Pick<A2aReady, "accountRef" | "consentRef" | "fulfillmentRef">,
  change: JsonObject = {},
): JsonObject {
  return {
    skill: "act",
    operation: "retail.order.submit",
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    idempotency_key: `key_${randomUUID()}`,
    expires_at: hoursAhead(2),
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 6000,
      currency: "EUR",
      fulfillment_ref: ready.fulfillmentRef,
    },
    ...change,
  };
}

/** What a list of orders asks for: a read, which needs nobody. */
export function readData(ready: Pick<A2aReady, "accountRef" | "consentRef">): JsonObject {
  return {
    skill: "act",
    operation: "retail.orders.list",
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    expires_at: hoursAhead(1),
    parameters: { limit: 5 },
  };
}

export function sending(data: Json, change: JsonObject = {}, configuration?: JsonObject): JsonObject {
  return { message: dataMessage(data, change), ...(configuration === undefined ? {} : { configuration }) };
}

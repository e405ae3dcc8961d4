import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json, type Reply } from "../../http/reply.ts";
import { underKey } from "../../site/idempotency.ts";
import { cancel, changePlan, quoteCancellation, quotePlan } from "../contract.ts";
import { changeHolder, quoteHolder } from "../holder.ts";
import type { LanternCommit } from "../switches.ts";
import type { Intent, LanternWorld } from "../world.ts";
import { cancellationWire, holderChangeWire, type LanternApiError, planChangeWire, refuseLantern } from "./wire.ts";

const REFERENCE = /^[\w.-]{0,64}$/;

type Done = LanternApiError | { readonly body: object };

/** Under a key alone; what is committed is what the service says at this moment. */
function commitOf(
  commit: LanternCommit,
  run: (world: LanternWorld, intent: Intent, reference: string) => Done,
): (world: LanternWorld, exchange: Exchange) => Reply {
  return (world, exchange) => {
    const { preview, reference = "" } = parseObject(exchange.body) ?? {};
    if (typeof preview !== "string" || typeof reference !== "string" || !REFERENCE.test(reference))
      return refuseLantern("invalid_request");
    if (exchange.headers["idempotency-key"] === undefined) return refuseLantern("idempotency_key_missing");
    return underKey(world, exchange, refuseLantern, () => {
      const intent = world.state.intents.get(preview, world.now());
      if (intent === undefined) return refuseLantern("preview_expired");
      if (world.switches.take("refuse", { commit })) return refuseLantern("refused");
      const done = run(world, intent, reference);
      if (typeof done === "string") return refuseLantern(done);
      world.state.intents.delete(preview);
      const answer: Answer = json(201, done.body);
      return { kind: "committed", commit, answer, landing: () => answer };
    });
  };
}

export const submitCancellation = commitOf("cancel", (world, intent, reference) => {
  if (intent.kind !== "cancel") return "invalid_request";
  const quote = quoteCancellation(world, intent.subscription);
  if (typeof quote === "string") return quote;
  world.state.counters.cancels += 1;
  return { body: cancellationWire(cancel(world, quote, reference)) };
});

export const submitPlanChange = commitOf("plan", (world, intent, reference) => {
  if (intent.kind !== "plan") return "invalid_request";
  const quote = quotePlan(world, intent.subscription, intent.plan);
  if (typeof quote === "string") return quote;
  const over = world.switches.take("chargeOver")?.deltaMinor;
  world.state.counters.planChanges += 1;
  return { body: planChangeWire(changePlan(world, quote, reference, over)) };
});

function holderCommit(kind: "address" | "contact", counter: "addressChanges" | "contactChanges") {
  return commitOf(kind, (world, intent, reference) => {
    if (intent.kind !== "holder" || intent.wish.kind !== kind) return "invalid_request";
    const quote = quoteHolder(world, intent.wish);
    if (typeof quote === "string") return quote;
    world.state.counters[counter] += 1;
    return { body: holderChangeWire(changeHolder(world, quote, reference)) };
  });
}

export const submitAddressChange = holderCommit("address", "addressChanges");
export const submitContactChange = holderCommit("contact", "contactChanges");

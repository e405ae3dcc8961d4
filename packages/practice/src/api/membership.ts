import { parseObject } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answer, json, type Reply } from "../http/reply.ts";
import { PREVIEW_MS } from "../limits.ts";
import { cancelMembership } from "../shop/membership.ts";
import type { World } from "../shop/world.ts";
import { underKey } from "../site/idempotency.ts";
import { randomToken } from "../site/random.ts";
import { instant, membershipWire, previewWire, refuseApi } from "./wire.ts";

export function showMembership(world: World): Answer {
  return json(200, membershipWire(world.state.membership, world.currency));
}

function alreadyCancelled(world: World): Answer | undefined {
  const { cancellation } = world.state.membership;
  return cancellation && refuseApi("already_cancelled", { cancellation_reference: cancellation.reference });
}

/** What cancelling now would bring; commits nothing. */
export function previewCancellation(world: World): Answer {
  const refused = alreadyCancelled(world);
  if (refused) return refused;
  const previewId = `cp_${randomToken(world.random)}`;
  const expiresAtMs = world.now() + PREVIEW_MS;
  world.state.previews.put(previewId, "cancellation", expiresAtMs);
  return json(201, {
    preview_id: previewId,
    expires_at: instant(expiresAtMs),
    ...previewWire(world.state.membership, world.currency),
  });
}

/** The preview's terms as of now. */
export function showPreview(world: World, exchange: Exchange): Answer {
  const previewId = exchange.params["preview"] ?? "";
  if (!world.state.previews.get(previewId, world.now())) return refuseApi("preview_expired");
  return json(200, { preview_id: previewId, ...previewWire(world.state.membership, world.currency) });
}

/** The commit. */
export function submitCancellation(world: World, exchange: Exchange): Reply {
  const previewId = parseObject(exchange.body)?.["preview_id"];
  if (typeof previewId !== "string") return refuseApi("invalid_request");
  return underKey(world, exchange, refuseApi, () => {
    const refused = alreadyCancelled(world);
    if (refused) return refused;
    if (!world.state.previews.get(previewId, world.now())) return refuseApi("preview_expired");
    if (world.switches.take("refuse", { commit: "cancellation" })) return refuseApi("cancellation_not_possible");
    cancelMembership(world);
    world.state.counters.cancels += 1;
    const answer = json(201, membershipWire(world.state.membership, world.currency));
    return { kind: "committed", commit: "cancellation", answer, landing: () => answer };
  });
}

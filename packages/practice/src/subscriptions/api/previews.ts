import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { PREVIEW_MS } from "../../limits.ts";
import { randomToken } from "../../site/random.ts";
import { quoteCancellation, quotePlan } from "../contract.ts";
import { quoteHolder } from "../holder.ts";
import type { Address, HolderWish } from "../model.ts";
import type { Intent, LanternWorld } from "../world.ts";
import { cancellationQuoteWire, holderQuoteWire, instant, planQuoteWire, refuseLantern } from "./wire.ts";

/** What an intent brings at this moment: it holds the wish, never a price. */
function quoteOf(world: LanternWorld, intent: Intent) {
  switch (intent.kind) {
    case "cancel": {
      const quote = quoteCancellation(world, intent.subscription);
      return typeof quote === "string" ? quote : cancellationQuoteWire(quote);
    }
    case "plan": {
      const quote = quotePlan(world, intent.subscription, intent.plan);
      return typeof quote === "string" ? quote : planQuoteWire(quote);
    }
    case "holder": {
      const quote = quoteHolder(world, intent.wish);
      return typeof quote === "string" ? quote : holderQuoteWire(quote);
    }
  }
}

function preview(world: LanternWorld, status: number, id: string, intent: Intent): Answer {
  const quote = quoteOf(world, intent);
  if (typeof quote === "string") return refuseLantern(quote);
  return json(status, { preview: id, expires_at: instant(intent.expiresAtMs), ...quote });
}

type Wish =
  | { readonly kind: "cancel"; readonly subscription: string; readonly step: number }
  | { readonly kind: "plan"; readonly subscription: string; readonly plan: string }
  | { readonly kind: "holder"; readonly wish: HolderWish };

function open(world: LanternWorld, wish: Wish): Answer {
  const id = `pv_${randomToken(world.random)}`;
  const intent = { ...wish, expiresAtMs: world.now() + PREVIEW_MS };
  const answer = preview(world, 201, id, intent);
  if (answer.status === 201) world.state.intents.put(id, intent, intent.expiresAtMs);
  return answer;
}

export function previewCancellation(world: LanternWorld, exchange: Exchange): Answer {
  return open(world, { kind: "cancel", subscription: exchange.params["subscription"] ?? "", step: 0 });
}

export function previewPlan(world: LanternWorld, exchange: Exchange): Answer {
  const plan = parseObject(exchange.body)?.["plan"];
  if (typeof plan !== "string") return refuseLantern("invalid_request");
  return open(world, { kind: "plan", subscription: exchange.params["subscription"] ?? "", plan });
}

/** Exactly one of `billing_address`, `email` and `phone`. */
export function previewHolder(world: LanternWorld, exchange: Exchange): Answer {
  const wish = holderWishOf(parseObject(exchange.body));
  return wish === undefined ? refuseLantern("invalid_request") : open(world, { kind: "holder", wish });
}

function holderWishOf(body: Readonly<Record<string, unknown>> | undefined): HolderWish | undefined {
  const [only, ...others] = Object.entries(body ?? {});
  if (only === undefined || others.length > 0) return undefined;
  const [name, value] = only;
  if (name === "email" || name === "phone")
    return typeof value === "string" ? { kind: "contact", use: name, value: value.trim() } : undefined;
  if (name !== "billing_address" || typeof value !== "object" || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const part = (key: keyof Address) => {
    const text = given[key] ?? "";
    return typeof text === "string" ? text.trim() : "";
  };
  const address = {
    name: part("name"),
    line1: part("line1"),
    line2: part("line2"),
    postcode: part("postcode"),
    city: part("city"),
    country: part("country"),
  };
  return { kind: "address", address };
}

export function showPreview(world: LanternWorld, exchange: Exchange): Answer {
  const id = exchange.params["preview"] ?? "";
  const intent = world.state.intents.get(id, world.now());
  return intent === undefined ? refuseLantern("preview_expired") : preview(world, 200, id, intent);
}

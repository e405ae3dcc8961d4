import { type Ctx, type Destination, type Fetch, SiteTrouble } from "@countersign/plugin";
import { err, type Json, type Result } from "@countersign/wire";
import { type CardPin, pinFromJson, pinToJson } from "../card/read/change.ts";
import { type CardRules, type JudgedCard, judgeCard } from "../card/read/judge.ts";
import { cardKeys } from "../card/read/keys.ts";
import { type CardProblem, cardProblem } from "../card/read/problem.ts";
import type { ClientExtension } from "../extensions/extension.ts";
import { agentOrigins, remoteAgent } from "./agent.ts";
import { CARD_FRESH_MS } from "./limits.ts";

/** The cards of remote agents, judged before anything is sent to them. */
export interface Cards {
  /** @throws SiteTrouble when the card does not come. */
  of(ctx: Ctx, destination: Destination, issuer: string): Promise<Result<JudgedCard, CardProblem>>;
}

interface Kept {
  readonly judged: Result<JudgedCard, CardProblem>;
  readonly until: number;
}

const PIN = "a2a.card";

/**
 * A card is judged anew after a few minutes and in each process, against what the store remembers of the last one that
 * was taken (a2a.md section 6, rule 6). One that was refused is asked for again the next time.
 */
export function createCards(extensions: () => readonly ClientExtension[]): Cards {
  const kept = new Map<string, Kept>();
  return {
    async of(ctx, destination, issuer) {
      const key = `${ctx.tenant} ${destination.id}`;
      const known = kept.get(key);
      if (known !== undefined && ctx.now() < known.until) return known.judged;
      const judged = await takeCard(ctx, destination, { issuer, extensions: extensions() });
      if (judged.ok) kept.set(key, { judged, until: ctx.now() + CARD_FRESH_MS });
      else {
        kept.delete(key);
        const { code, at } = judged.reason;
        ctx.log.warn("a2a.card_refused", { destination: destination.id, code, ...(at === undefined ? {} : { at }) });
      }
      return judged;
    },
  };
}

type Own = Pick<CardRules, "issuer" | "extensions">;

async function takeCard(ctx: Ctx, destination: Destination, own: Own): Promise<Result<JudgedCard, CardProblem>> {
  const agent = remoteAgent(destination);
  const url = new URL(agent.cardPath, destination.origin);
  if (url.origin !== destination.origin) return err(cardProblem("unreachable"));
  const bytes = await fetchCard(ctx.fetch, url);
  const keys = cardKeys({
    configured: agent.keys,
    origins: new Set([url.origin, ...agent.keyOrigins]),
    fetch: ctx.fetch,
  });
  const stored = await ctx.store.get(PIN);
  const judged = await judgeCard(bytes, {
    ...own,
    keys,
    unsigned: agent.unsigned,
    origins: agentOrigins(destination),
    skills: agent.skills,
    before: readPin(stored?.value),
    accepted: agent.acceptedCard,
  });
  if (!judged.ok) return judged;
  return (await keepPin(ctx, judged.value.pin, stored)) ? judged : err(cardProblem("unreachable"));
}

/** False when somebody else took another card meanwhile: then neither is gone by before it is looked at again. */
async function keepPin(
  ctx: Ctx,
  pin: CardPin,
  stored: { readonly value: Json; readonly version: number } | undefined,
): Promise<boolean> {
  const before = readPin(stored?.value);
  if (before !== undefined && before !== "unreadable" && before.digest === pin.digest && before.signed === pin.signed)
    return true;
  const written = await ctx.store.put(PIN, pinToJson(pin), stored?.version ?? 0);
  return written.ok;
}

function readPin(value: Json | undefined): CardPin | "unreadable" | undefined {
  return value === undefined ? undefined : (pinFromJson(value) ?? "unreadable");
}

async function fetchCard(fetch: Fetch, url: URL): Promise<Uint8Array> {
  try {
    const answer = await fetch(new Request(url, { headers: { accept: "application/json" }, redirect: "manual" }));
    if (answer.status === 200) return new Uint8Array(await answer.arrayBuffer());
  } catch {
    // The cause may quote the request, so it is not kept.
  }
  throw new SiteTrouble("the agent's card does not come");
}

import { setTimeout as pause } from "node:timers/promises";
import type { Ctx, Destination, KeptMaterial } from "@countersign/plugin";
import { err, isJsonObject, ok, type Result } from "@countersign/wire";
import { RENEW_LOOK_MS, RENEW_TURN_MS } from "../limits.ts";
import { fromOAuthMaterial, type OAuthMaterial, toOAuthMaterial } from "../material.ts";
import type { TokenProblem } from "../tokens.ts";
import { askTokens, materialOf, type OAuthSignIn } from "./token-endpoint.ts";

export interface Renewal {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly oauth: OAuthSignIn;
  readonly kept: KeptMaterial;
  /** Renewals under way in this process, by family. */
  readonly running: Map<string, Promise<Result<OAuthMaterial, TokenProblem>>>;
}

/**
 * Renews the tokens of one sign-in, by one at a time in all processes (lessons U48): who has the turn reads what is kept
 * first, since another may have renewed it; what comes is kept before it is used; and `invalid_grant` is believed only
 * when nobody else has renewed meanwhile. An answer that is lost is not asked for twice in one go: the site has spent
 * the old token, and the next attempt hears so. That costs one sign-in.
 */
export async function renew(renewal: Renewal, stale: OAuthMaterial): Promise<Result<OAuthMaterial, TokenProblem>> {
  const { running } = renewal;
  const { family } = stale;
  const under = running.get(family);
  if (under !== undefined) return under;
  const own = inTurn(renewal, stale).finally(() => running.delete(family));
  running.set(family, own);
  return own;
}

async function inTurn(renewal: Renewal, stale: OAuthMaterial): Promise<Result<OAuthMaterial, TokenProblem>> {
  const { ctx, kept } = renewal;
  for (;;) {
    const now = await readKept(kept);
    if (now === undefined) return err("sign_in");
    if (!sameToken(now, stale)) return ok(now);
    const turn = await takeTurn(ctx, stale.family);
    if (turn !== undefined) {
      try {
        const newest = await readKept(kept);
        if (newest === undefined) return err("sign_in");
        return sameToken(newest, stale) ? await ask(renewal, newest) : ok(newest);
      } finally {
        await ctx.store.put(turn.key, { until: 0 }, turn.version);
      }
    }
    if (ctx.signal.aborted) return err("unavailable");
    await pause(RENEW_LOOK_MS);
  }
}

async function ask(renewal: Renewal, now: OAuthMaterial): Promise<Result<OAuthMaterial, TokenProblem>> {
  const { ctx, destination, oauth, kept } = renewal;
  if (now.refresh === undefined) return err("sign_in");
  const form = { grant_type: "refresh_token", refresh_token: now.refresh.reveal() };
  const tokens = await askTokens(ctx, destination, oauth, form);
  if (!tokens.ok) {
    ctx.log.info("http.renewal_failed", { destination: destination.id, why: tokens.reason });
    if (tokens.reason === "unavailable") return err("unavailable");
    const newest = await readKept(kept);
    return newest !== undefined && !sameToken(newest, now) ? ok(newest) : err("sign_in");
  }
  const next = materialOf(tokens.value, now.family, now.refresh);
  // Kept before it is used: the one before is worth nothing any more.
  return (await kept.write(toOAuthMaterial(next))) ? ok(next) : err("sign_in");
}

function sameToken(a: OAuthMaterial, b: OAuthMaterial): boolean {
  return a.token.reveal() === b.token.reveal();
}

async function readKept(kept: KeptMaterial): Promise<OAuthMaterial | undefined> {
  const material = await kept.read();
  const read = material === undefined ? undefined : fromOAuthMaterial(material);
  return read?.ok ? read.value : undefined;
}

/** Whose turn it is, in one row that is compared and written: undefined while somebody else has it. */
async function takeTurn(
  ctx: Ctx,
  family: string,
): Promise<{ readonly key: string; readonly version: number } | undefined> {
  const key = `renewal/${family}`;
  const row = await ctx.store.get(key);
  const until = row !== undefined && isJsonObject(row.value) ? row.value["until"] : 0;
  if (typeof until === "number" && until > ctx.now()) return undefined;
  const taken = await ctx.store.put(key, { until: ctx.now() + RENEW_TURN_MS }, row?.version ?? 0);
  return taken.ok ? { key, version: taken.value.version } : undefined;
}

import { setTimeout as pause } from "node:timers/promises";
import type { Ctx, KeptMaterial } from "@countersign/plugin";
import {
  err,
  formatInstant,
  type Instant,
  isJsonObject,
  ok,
  type Result,
  type Secret,
  secret,
} from "@countersign/wire";
import { OAuthError, OAuthErrorCode, type OAuthTokens, refreshAuthorization } from "@modelcontextprotocol/client";
import { RENEW_LOOK_MS, RENEW_TURN_MS } from "../limits.ts";
import { clientInformation, fetchWithin, serverMetadata } from "./discovery.ts";
import { fromMaterial, type OAuthMaterial, toMaterial } from "./material.ts";
import type { TokenProblem } from "./tokens.ts";

export interface RenewDeps {
  /** The origins that credentials may go to. */
  readonly origins: ReadonlySet<string>;
  /** Renewals under way in this process, by family. */
  readonly running: Map<string, Promise<Result<OAuthMaterial, TokenProblem>>>;
}

/**
 * Renews the tokens of one sign-in, by one at a time in all processes (lessons U48): who has the turn reads what is kept
 * first, since another may have renewed it; what comes is kept before it is used; and `invalid_grant` is believed only
 * when nobody else has renewed meanwhile. A process that dies between the answer and the keeping costs one sign-in.
 */
export async function renew(
  ctx: Ctx,
  stale: OAuthMaterial,
  kept: KeptMaterial,
  deps: RenewDeps,
): Promise<Result<OAuthMaterial, TokenProblem>> {
  const { family } = stale;
  const running = deps.running.get(family);
  if (running !== undefined) return running;
  const own = inTurn(ctx, stale, kept, deps).finally(() => deps.running.delete(family));
  deps.running.set(family, own);
  return own;
}

async function inTurn(
  ctx: Ctx,
  stale: OAuthMaterial,
  kept: KeptMaterial,
  deps: RenewDeps,
): Promise<Result<OAuthMaterial, TokenProblem>> {
  for (;;) {
    const now = await readKept(kept);
    if (now === undefined) return err("sign_in");
    if (now.access.reveal() !== stale.access.reveal()) return ok(now);
    const turn = await takeTurn(ctx, stale.family);
    if (turn !== undefined) {
      try {
        const newest = await readKept(kept);
        if (newest === undefined) return err("sign_in");
        return newest.access.reveal() === stale.access.reveal() ? await exchange(ctx, newest, kept, deps) : ok(newest);
      } finally {
        await ctx.store.put(turn.key, { until: 0 }, turn.version);
      }
    }
    if (ctx.signal.aborted) return err("unavailable");
    await pause(RENEW_LOOK_MS);
  }
}

async function exchange(
  ctx: Ctx,
  now: OAuthMaterial,
  kept: KeptMaterial,
  deps: RenewDeps,
): Promise<Result<OAuthMaterial, TokenProblem>> {
  if (now.refresh === undefined) return err("sign_in");
  const metadata = await serverMetadata(ctx, now.issuer, deps.origins);
  if (!metadata.ok) return err("unavailable");
  let tokens: OAuthTokens;
  try {
    tokens = await refreshAuthorization(now.issuer, {
      metadata: metadata.value,
      clientInformation: clientInformation(now),
      refreshToken: now.refresh.reveal(),
      resource: now.resource,
      fetchFn: fetchWithin(ctx, deps.origins),
    });
  } catch (error) {
    const refused = error instanceof OAuthError && error.code === OAuthErrorCode.InvalidGrant;
    ctx.log.info("mcp.renewal_failed", { refused });
    if (!refused) return err("unavailable");
    const newest = await readKept(kept);
    return newest !== undefined && newest.access.reveal() !== now.access.reveal() ? ok(newest) : err("sign_in");
  }
  const next = withTokens(ctx, now, tokens);
  // Kept before it is used: the one before is worth nothing any more.
  return (await kept.write(toMaterial({ kind: "oauth", ...next }))) ? ok(next) : err("sign_in");
}

/** What a token answer makes of a sign-in; members that it leaves out stay as they were (RFC 6749 section 6). */
export function withTokens(ctx: Ctx, before: Omit<OAuthMaterial, "access">, tokens: OAuthTokens): OAuthMaterial {
  const { expiresAt: _ended, ...rest } = before;
  const refresh: Secret<string> | undefined =
    tokens.refresh_token === undefined ? before.refresh : secret(tokens.refresh_token);
  const scope = tokens.scope ?? before.scope;
  return {
    ...rest,
    access: secret(tokens.access_token),
    ...(refresh === undefined ? {} : { refresh }),
    ...(tokens.expires_in === undefined
      ? {}
      : { expiresAt: formatInstant((ctx.now() + tokens.expires_in * 1_000) as Instant) }),
    ...(scope === undefined ? {} : { scope }),
  };
}

async function readKept(kept: KeptMaterial): Promise<OAuthMaterial | undefined> {
  const material = await kept.read();
  const read = material === undefined ? undefined : fromMaterial(material);
  return read?.ok && read.value.kind === "oauth" ? read.value : undefined;
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

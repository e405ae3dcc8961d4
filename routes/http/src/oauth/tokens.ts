import { err, ok, parseInstant, type Result, type Secret } from "@countersign/wire";
import type { OAuthMaterial } from "../material.ts";
import type { SessionTokens, TokenProblem } from "../tokens.ts";
import { type Renewal, renew } from "./renew.ts";

/** The tokens of a sign-in at a site's OAuth server: renewed when they are about to end, or when the site says no. */
export function renewedTokens(first: OAuthMaterial, renewal: Renewal): SessionTokens {
  let now = first;
  const seen = new Map<string, Secret<string>>();
  const note = (material: OAuthMaterial): void => {
    now = material;
    for (const value of [material.token, material.refresh]) if (value !== undefined) seen.set(value.reveal(), value);
  };
  note(first);
  const next = async (): Promise<Result<Secret<string>, TokenProblem>> => {
    const renewed = await renew(renewal, now);
    if (!renewed.ok) return renewed;
    note(renewed.value);
    return ok(renewed.value.token);
  };
  return {
    async lasting(spareMs) {
      if (!endsWithin(renewal, now, spareMs)) return ok(now.token);
      if (now.refresh !== undefined) return next();
      // Without a way to renew it, it is good until it ends.
      return endsWithin(renewal, now, 0) ? err("sign_in") : ok(now.token);
    },
    async refused(token) {
      // Renewed meanwhile: the answer was to the one before.
      if (now.token.reveal() !== token.reveal()) return ok(now.token);
      return now.refresh === undefined ? err("sign_in") : next();
    },
    secrets: () => [...seen.values()],
  };
}

function endsWithin({ ctx }: Renewal, { expiresAt }: OAuthMaterial, spareMs: number): boolean {
  if (expiresAt === undefined) return false;
  const until = parseInstant(expiresAt);
  return !until.ok || until.value - ctx.now() <= spareMs;
}

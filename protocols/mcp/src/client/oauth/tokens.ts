import type { Answer, Ctx, KeptMaterial } from "@countersign/plugin";
import { err, ok, parseInstant, type Result, type Secret } from "@countersign/wire";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { SCOPE_CHARS_MAX, TOKEN_SPARE_COMMIT_MS, TOKEN_SPARE_MS } from "../limits.ts";
import type { Material, OAuthMaterial } from "./material.ts";
import { type RenewDeps, renew } from "./renew.ts";
import { askScopes, scopesOf } from "./scopes.ts";

export type TokenProblem = "sign_in" | "unavailable";

/** The token of one session. Nothing else of the gateway's is ever in it: who called us has a token of their own (AUT-3). */
export interface Tokens {
  /** What to send now; renewed before, when it is about to end. Undefined where nobody signs in. */
  current(): Promise<Result<Secret<string> | undefined, TokenProblem>>;
  /** The same, with time enough for a commit. */
  fresh(): Promise<Result<undefined, TokenProblem>>;
  /** The server did not take this one. */
  refused(token: Secret<string> | undefined): Promise<Result<Secret<string>, TokenProblem>>;
  /** What a 403 asks for: nothing of ours, a sign-in for more, or what this sign-in has been given already. */
  challenged(answer: Answer): Promise<"no" | "sign_in" | "in_vain">;
  /** Every value that must not come back in an answer. */
  secrets(): readonly Secret<string>[];
}

/** @param kept absent while somebody signs in: then nothing is renewed. */
export function createTokens(ctx: Ctx, first: Material, kept: KeptMaterial | undefined, deps: RenewDeps): Tokens {
  let material = first;
  const seen = new Map<string, Secret<string>>();
  const note = (now: Material): void => {
    material = now;
    const values = now.kind === "token" ? [now.access] : [now.access, now.refresh, now.clientSecret];
    for (const value of values) if (value !== undefined) seen.set(value.reveal(), value);
  };
  note(first);

  const renewed = async (now: OAuthMaterial): Promise<Result<Secret<string>, TokenProblem>> => {
    if (kept === undefined) return err("sign_in");
    const next = await renew(ctx, now, kept, deps);
    if (!next.ok) return next;
    note({ kind: "oauth", ...next.value });
    return ok(next.value.access);
  };
  const within = async (spareMs: number): Promise<Result<Secret<string>, TokenProblem>> => {
    if (material.kind === "token" || !endsWithin(ctx, material, spareMs)) return ok(material.access);
    if (material.refresh !== undefined && kept !== undefined) return renewed(material);
    // Without a way to renew it, it is good until it ends.
    return endsWithin(ctx, material, 0) ? err("sign_in") : ok(material.access);
  };

  return {
    current: () => within(TOKEN_SPARE_MS),
    async fresh() {
      const token = await within(TOKEN_SPARE_COMMIT_MS);
      return token.ok ? ok(undefined) : token;
    },
    async refused(token) {
      if (material.kind === "token") return err("sign_in");
      // Renewed meanwhile: the answer was to the one before.
      if (material.access.reveal() !== token?.reveal()) return ok(material.access);
      return material.refresh === undefined ? err("sign_in") : renewed(material);
    },
    async challenged({ status, headers }) {
      const response = new Response(null, { status, headers: headers.map(([n, v]): [string, string] => [n, v]) });
      const { error, scope } = extractWWWAuthenticateParams(response);
      if (error !== "insufficient_scope" || material.kind === "token") return "no";
      if (scope === undefined || scope.length > SCOPE_CHARS_MAX) return "in_vain";
      const held = scopesOf(material.scope);
      if (scopesOf(scope).every((one) => held.includes(one))) return "in_vain";
      await askScopes(ctx, material.issuer, [...held, ...scopesOf(scope)]);
      return "sign_in";
    },
    secrets: () => [...seen.values()],
  };
}

function endsWithin(ctx: Ctx, material: OAuthMaterial, spareMs: number): boolean {
  if (material.expiresAt === undefined) return false;
  const until = parseInstant(material.expiresAt);
  return !until.ok || until.value - ctx.now() <= spareMs;
}

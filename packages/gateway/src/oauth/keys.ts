import { randomBytes } from "node:crypto";
import {
  assert,
  fromBase64Url,
  generateSigningKey,
  type PublicJwk,
  parsePublicJwk,
  type Secret,
  secret,
  thumbprint,
  toBase64Url,
} from "@countersign/wire";
import { KEY_LIFE_MS } from "../limits.ts";
import type { Store } from "../store/store.ts";
import { openText, type Sealer, sealText } from "../vault/seal.ts";
import { COOKIE_KEY_BYTES, KEY_RENEW_BEFORE_MS } from "./limits.ts";

export interface OAuthKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly privateJwk: Secret<JsonWebKey>;
}

interface KeyDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly now: () => number;
}

export function loadOAuthKeys(deps: KeyDeps): Promise<readonly [OAuthKey, ...OAuthKey[]]> {
  return loadKeys(deps, "oauth");
}

/**
 * The ES256 keys of a role that are in force, the signing one first; the first start makes it and a start near its end
 * makes the next, while the old one still verifies.
 */
export async function loadKeys(
  deps: KeyDeps,
  role: "oauth" | `plugin.${string}`,
): Promise<readonly [OAuthKey, ...OAuthKey[]]> {
  const present = await readKeys(deps, role);
  const [newest] = present;
  if (newest !== undefined && newest.notAfter - deps.now() > KEY_RENEW_BEFORE_MS) return [newest, ...present.slice(1)];
  const { publicJwk, privateJwk } = await generateSigningKey();
  const kid = await thumbprint(publicJwk);
  await deps.store.db
    .insertInto("signing_key")
    .values({
      kid,
      role,
      public_jwk: JSON.stringify(publicJwk),
      sealed: sealText(deps.sealer, `key:${kid}`, JSON.stringify(privateJwk.reveal())),
      not_before: deps.now(),
      not_after: deps.now() + KEY_LIFE_MS,
    })
    .execute();
  return [{ kid, publicJwk, privateJwk }, ...present];
}

async function readKeys(
  deps: KeyDeps,
  role: "oauth" | `plugin.${string}`,
): Promise<readonly (OAuthKey & { readonly notAfter: number })[]> {
  const rows = await deps.store.db
    .selectFrom("signing_key")
    .selectAll()
    .where("role", "=", role)
    .where("not_after", ">", deps.now())
    .where("revoked_at", "is", null)
    .orderBy("not_after", "desc")
    .execute();
  return rows.map((row) => {
    const publicJwk = parsePublicJwk(JSON.parse(row.public_jwk));
    assert(publicJwk.ok, "a stored signing key is ES256");
    const privateJwk = secret<JsonWebKey>(JSON.parse(openText(deps.sealer, `key:${row.kid}`, row.sealed)));
    return { kid: row.kid, publicJwk: publicJwk.value, privateJwk, notAfter: row.not_after };
  });
}

const COOKIE_KEY_SETTING = "oauth_cookie_key";

/** The key that signs the authorization server's cookies. */
export function loadCookieKey(deps: KeyDeps): Promise<Secret<string>> {
  return loadSecretSetting(deps, COOKIE_KEY_SETTING);
}

/** A random secret of this store, sealed among the settings; the first who asks makes it. */
export async function loadSecretSetting(deps: KeyDeps, name: string): Promise<Secret<string>> {
  const context = `setting:${name}`;
  const fresh = sealText(deps.sealer, context, toBase64Url(randomBytes(COOKIE_KEY_BYTES)));
  await deps.store.db
    .insertInto("setting")
    .values({ name, value: toBase64Url(fresh) })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await deps.store.db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  const sealed = fromBase64Url(row.value);
  assert(sealed.ok, "a stored secret setting is base64url");
  return secret(openText(deps.sealer, context, sealed.value));
}

import { err, isJsonObject, ok, parseInstant, parseJson, type Result, type Secret, secret } from "@countersign/wire";

/** What opens a session again: the site's token and until when the site honours it. Kept in the vault only. */
export interface TokenMaterial {
  readonly token: Secret<string>;
  /** RFC 3339; absent when the site does not say. */
  readonly expiresAt?: string;
}

/** The tokens of a site's OAuth server. `family` names the sign-in that they all come from: one renews for all. */
export interface OAuthMaterial extends TokenMaterial {
  readonly family: string;
  readonly refresh?: Secret<string>;
}

const VERSION = 1;
const OAUTH_VERSION = 2;
const KEY_VERSION = 3;

export function toMaterial(material: TokenMaterial): Secret<string> {
  return secret(JSON.stringify({ v: VERSION, token: material.token.reveal(), ...expiryOf(material) }));
}

export function toOAuthMaterial(material: OAuthMaterial): Secret<string> {
  const refresh = material.refresh === undefined ? {} : { refresh: material.refresh.reveal() };
  const { family } = material;
  return secret(
    JSON.stringify({ v: OAUTH_VERSION, family, token: material.token.reveal(), ...expiryOf(material), ...refresh }),
  );
}

/** A key that the person made at the site; a kept token of another kind is never taken for one, nor one for it. */
export function toKeyMaterial(key: Secret<string>): Secret<string> {
  return secret(JSON.stringify({ v: KEY_VERSION, key: key.reveal() }));
}

export function fromKeyMaterial(material: Secret<string>): Result<Secret<string>, "unreadable"> {
  const key = membersOf(material, KEY_VERSION)?.["key"];
  return typeof key === "string" && key !== "" ? ok(secret(key)) : err("unreadable");
}

function expiryOf({ expiresAt }: TokenMaterial) {
  return expiresAt === undefined ? {} : { expires_at: expiresAt };
}

/** `unreadable`: another version or not ours; `expired`: the site would refuse it. Either way the person signs in again. */
export function fromMaterial(material: Secret<string>, now: number): Result<TokenMaterial, "unreadable" | "expired"> {
  const kept = membersOf(material, VERSION);
  const read = kept === undefined ? undefined : tokenOf(kept);
  if (read === undefined) return err("unreadable");
  const until = read.expiresAt === undefined ? undefined : parseInstant(read.expiresAt);
  return until?.ok && now >= until.value ? err("expired") : ok(read);
}

/** One that has run out is no problem here: it may be renewed. */
export function fromOAuthMaterial(material: Secret<string>): Result<OAuthMaterial, "unreadable"> {
  const kept = membersOf(material, OAUTH_VERSION);
  const read = kept === undefined ? undefined : tokenOf(kept);
  const { family, refresh } = kept ?? {};
  if (read === undefined || typeof family !== "string" || family === "") return err("unreadable");
  if (refresh === undefined) return ok({ ...read, family });
  if (typeof refresh !== "string" || refresh === "") return err("unreadable");
  return ok({ ...read, family, refresh: secret(refresh) });
}

function membersOf(material: Secret<string>, version: number): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseJson(material.reveal());
  return parsed.ok && isJsonObject(parsed.value) && parsed.value["v"] === version ? parsed.value : undefined;
}

function tokenOf(kept: Readonly<Record<string, unknown>>): TokenMaterial | undefined {
  const { token, expires_at: expiresAt } = kept;
  if (typeof token !== "string" || token === "") return undefined;
  if (expiresAt === undefined) return { token: secret(token) };
  if (typeof expiresAt !== "string" || !parseInstant(expiresAt).ok) return undefined;
  return { token: secret(token), expiresAt };
}

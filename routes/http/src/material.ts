import { err, isJsonObject, ok, parseInstant, parseJson, type Result, type Secret, secret } from "@countersign/wire";

/** What opens a session again: the site's token and until when the site honours it. Kept in the vault only. */
export interface TokenMaterial {
  readonly token: Secret<string>;
  /** RFC 3339; absent when the site does not say. */
  readonly expiresAt?: string;
}

const VERSION = 1;

export function toMaterial(material: TokenMaterial): Secret<string> {
  const expiry = material.expiresAt === undefined ? {} : { expires_at: material.expiresAt };
  return secret(JSON.stringify({ v: VERSION, token: material.token.reveal(), ...expiry }));
}

/** `unreadable`: another version or not ours; `expired`: the site would refuse it. Either way the person signs in again. */
export function fromMaterial(material: Secret<string>, now: number): Result<TokenMaterial, "unreadable" | "expired"> {
  const parsed = parseJson(material.reveal());
  if (!parsed.ok || !isJsonObject(parsed.value) || parsed.value["v"] !== VERSION) return err("unreadable");
  const { token, expires_at: expiresAt } = parsed.value;
  if (typeof token !== "string" || token === "") return err("unreadable");
  if (expiresAt === undefined) return ok({ token: secret(token) });
  const until = typeof expiresAt === "string" ? parseInstant(expiresAt) : undefined;
  if (typeof expiresAt !== "string" || !until?.ok) return err("unreadable");
  return now >= until.value ? err("expired") : ok({ token: secret(token), expiresAt });
}

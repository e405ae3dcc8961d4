import {
  err,
  isJsonObject,
  type JsonObject,
  ok,
  parseInstant,
  parseJson,
  type Result,
  type Secret,
  secret,
} from "@countersign/wire";

/** What opens an upstream session again. Kept in the vault only. */
export type Material =
  | { readonly kind: "token"; readonly access: Secret<string> }
  | ({ readonly kind: "oauth" } & OAuthMaterial);

export interface OAuthMaterial {
  /** One for each sign-in: who renews its tokens takes turns by it. */
  readonly family: string;
  /** The authorization server, as its own document says it. What it gave goes to no other. */
  readonly issuer: string;
  /** The protected resource, as its metadata spells it (RFC 8707). */
  readonly resource: string;
  readonly clientId: string;
  readonly clientSecret?: Secret<string>;
  readonly access: Secret<string>;
  readonly refresh?: Secret<string>;
  /** RFC 3339; absent when the server does not say. */
  readonly expiresAt?: string;
  readonly scope?: string;
}

const VERSION = 1;

export function toMaterial(material: Material): Secret<string> {
  if (material.kind === "token")
    return secret(JSON.stringify({ v: VERSION, kind: "token", access: material.access.reveal() }));
  const { family, issuer, resource, clientId, clientSecret, access, refresh, expiresAt, scope } = material;
  return secret(
    JSON.stringify({
      v: VERSION,
      kind: "oauth",
      family,
      issuer,
      resource,
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret.reveal() }),
      access: access.reveal(),
      ...(refresh === undefined ? {} : { refresh: refresh.reveal() }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      ...(scope === undefined ? {} : { scope }),
    }),
  );
}

/** `unreadable`: another version or not ours; then the person signs in again. */
export function fromMaterial(material: Secret<string>): Result<Material, "unreadable"> {
  const parsed = parseJson(material.reveal());
  if (!parsed.ok || !isJsonObject(parsed.value) || parsed.value["v"] !== VERSION) return err("unreadable");
  const { kind } = parsed.value;
  const access = textIn(parsed.value, "access");
  if (access === undefined) return err("unreadable");
  if (kind === "token") return ok({ kind, access: secret(access) });
  return kind === "oauth" ? oauthIn(parsed.value, access) : err("unreadable");
}

function oauthIn(value: JsonObject, access: string): Result<Material, "unreadable"> {
  const [family, issuer, resource, clientId] = ["family", "issuer", "resource", "client_id"].map((m) =>
    textIn(value, m),
  );
  if (family === undefined || issuer === undefined || resource === undefined || clientId === undefined)
    return err("unreadable");
  const clientSecret = textIn(value, "client_secret");
  const refresh = textIn(value, "refresh");
  const expiresAt = textIn(value, "expires_at");
  const scope = textIn(value, "scope");
  if (expiresAt !== undefined && !parseInstant(expiresAt).ok) return err("unreadable");
  return ok({
    kind: "oauth",
    family,
    issuer,
    resource,
    clientId,
    access: secret(access),
    ...(clientSecret === undefined ? {} : { clientSecret: secret(clientSecret) }),
    ...(refresh === undefined ? {} : { refresh: secret(refresh) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(scope === undefined ? {} : { scope }),
  });
}

function textIn(value: JsonObject, member: string): string | undefined {
  const text = value[member];
  return typeof text === "string" && text !== "" ? text : undefined;
}

import type { Ctx, VaultRef } from "@countersign/plugin";
import { digestOfText, err, isJsonObject, ok, type Result, type Secret, secret } from "@countersign/wire";
import { type OAuthClientMetadata, registerClient } from "@modelcontextprotocol/client";
import type { RegisteredClient } from "../upstream.ts";
import { CLIENT_DOCUMENT_PATH, clientDocument } from "./client-document.ts";
import { type Discovered, fetchWithin } from "./discovery.ts";

export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: Secret<string>;
}

/**
 * Who we are at an authorization server, in the specification's order: as the operator registered us by hand, by our
 * metadata document where both sides can (it is fetched, so it takes a public https origin), by registering ourselves.
 * A registration is kept by issuer: what one server gave goes to no other.
 */
export async function clientAt(
  ctx: Ctx,
  at: Discovered,
  own: {
    readonly registered?: RegisteredClient;
    readonly document?: string;
    readonly returnUrl: string;
    readonly origins: ReadonlySet<string>;
  },
): Promise<Result<OAuthClient, "no_registration">> {
  if (own.registered !== undefined) {
    const { id, secret: clientSecret } = own.registered;
    return ok({ clientId: id, ...(clientSecret === undefined ? {} : { clientSecret }) });
  }
  const documentUrl = new URL(own.document ?? CLIENT_DOCUMENT_PATH, own.returnUrl);
  if (at.metadata.client_id_metadata_document_supported === true && documentUrl.protocol === "https:")
    return ok({ clientId: documentUrl.href });
  const key = `client/${await digestOfText(`${at.issuer}\n${own.returnUrl}`)}`;
  const before = await ctx.store.get(key);
  const kept = before === undefined ? undefined : await readKept(ctx, before.value);
  if (kept !== undefined) return ok(kept);
  if (at.metadata.registration_endpoint === undefined) return err("no_registration");
  try {
    const { client_id: clientId, client_secret: given } = await registerClient(at.issuer, {
      metadata: at.metadata,
      clientMetadata: registration(own.returnUrl, at.metadata.token_endpoint_auth_methods_supported),
      fetchFn: fetchWithin(ctx, own.origins),
    });
    const ref = given === undefined ? undefined : await ctx.vault.put(secret(given));
    await ctx.store.put(
      key,
      { client_id: clientId, ...(ref === undefined ? {} : { secret: ref }) },
      before?.version ?? 0,
    );
    return ok({ clientId, ...(given === undefined ? {} : { clientSecret: secret(given) }) });
  } catch {
    // What the server answers may quote what it gave.
    ctx.log.warn("mcp.registration_failed");
    return err("no_registration");
  }
}

/** PKCE alone where the server allows it; else the first way that both know. What is absent means `client_secret_basic`. */
function authMethod(supported: readonly string[] = ["client_secret_basic"]): string {
  return ["none", "client_secret_basic", "client_secret_post"].find((one) => supported.includes(one)) ?? "none";
}

function registration(returnUrl: string, supported: readonly string[] | undefined): OAuthClientMetadata {
  const { client_id: _id, ...document } = clientDocument(new URL(returnUrl).origin);
  const { hostname } = new URL(returnUrl);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return {
    ...document,
    redirect_uris: [returnUrl],
    token_endpoint_auth_method: authMethod(supported),
    application_type: isLocal ? "native" : "web",
  };
}

async function readKept(ctx: Ctx, value: unknown): Promise<OAuthClient | undefined> {
  if (typeof value !== "object" || value === null || !isJsonObject(value as never)) return undefined;
  const { client_id: clientId, secret: ref } = value as Readonly<Record<string, unknown>>;
  if (typeof clientId !== "string") return undefined;
  if (typeof ref !== "string") return { clientId };
  const clientSecret = await ctx.vault.use(ref as VaultRef, (text) => secret(text));
  return clientSecret.ok ? { clientId, clientSecret: clientSecret.value } : undefined;
}

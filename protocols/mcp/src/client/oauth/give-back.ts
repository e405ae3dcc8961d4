import type { Ctx } from "@countersign/plugin";
import { clientInformation, fetchWithin, serverMetadata } from "./discovery.ts";
import type { OAuthMaterial } from "./material.ts";

/**
 * Tells the authorization server that a sign-in is over (RFC 7009): its refresh token, and by it whatever came of it. A
 * server that has no such endpoint, or does not answer, is told nothing more: the tokens are gone here either way.
 */
export async function giveBackTokens(
  ctx: Ctx,
  material: OAuthMaterial,
  origins: ReadonlySet<string>,
): Promise<"given_back" | "no_endpoint" | "failed"> {
  const metadata = await serverMetadata(ctx, material.issuer, origins);
  if (!metadata.ok) return "failed";
  const endpoint: unknown = "revocation_endpoint" in metadata.value ? metadata.value.revocation_endpoint : undefined;
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return "no_endpoint";
  const [token, hint] =
    material.refresh === undefined ? [material.access, "access_token"] : [material.refresh, "refresh_token"];
  const { client_id: id, client_secret: key } = clientInformation(material);
  const form = new URLSearchParams({ token: token.reveal(), token_type_hint: hint, client_id: id });
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", accept: "application/json" });
  if (typeof key === "string") {
    if (takesBasic(metadata.value)) headers.set("authorization", `Basic ${btoa(`${coded(id)}:${coded(key)}`)}`);
    else form.set("client_secret", key);
  }
  try {
    const answer = await fetchWithin(ctx, origins)(endpoint, { method: "POST", headers, body: form.toString() });
    return answer.ok ? "given_back" : "failed";
  } catch {
    // What went wrong may quote the token.
    return "failed";
  }
}

/** RFC 8414: what is absent means `client_secret_basic`. */
function takesBasic(metadata: {
  readonly revocation_endpoint_auth_methods_supported?: readonly string[] | undefined;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
}): boolean {
  const known = metadata.revocation_endpoint_auth_methods_supported ?? metadata.token_endpoint_auth_methods_supported;
  return known === undefined || known.includes("client_secret_basic");
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they are joined. */
function coded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

import { randomUUID } from "node:crypto";
import type {
  AccountIdentity,
  Ctx,
  Destination,
  RedirectSignIn,
  ReturnAnswer,
  SignInReturn,
} from "@countersign/plugin";
import { SiteTrouble } from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import {
  exchangeAuthorization,
  type OAuthTokens,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import type { McpUpstream, UpstreamSignIn } from "../upstream.ts";
import { clientAt } from "./client.ts";
import { clientInformation, discover, fetchWithin } from "./discovery.ts";
import { toMaterial } from "./material.ts";
import { withTokens } from "./renew.ts";
import { askedScopes } from "./scopes.ts";

const NO_ANSWER = "The site does not answer; try again in a moment.";
const NOT_AGREED = "The site says that you did not agree. Begin again if you want to.";
const NOT_TAKEN = "The site did not sign you in. Begin again.";
const NOBODY = "The site did not say whose account this is.";

export interface OAuthSignInOptions {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly upstream: McpUpstream;
  readonly setting: Extract<UpstreamSignIn, { kind: "oauth" }>;
  readonly back: SignInReturn;
  readonly identify: (material: Secret<string>) => Promise<AccountIdentity | undefined>;
}

/**
 * Authorization code with PKCE, the gateway as its own client for this person (mcp.md section 7): everything is looked up
 * afresh, the resource goes into both requests, the answer's issuer is compared before anything in it is read. What the
 * server says in an error is nobody's to read: it may come from somebody else.
 */
export async function oauthSignIn(options: OAuthSignInOptions): Promise<Result<RedirectSignIn, "site_unavailable">> {
  const { ctx, destination, upstream, setting, back } = options;
  const origins = new Set([destination.origin, ...destination.alsoOrigins]);
  const found = await discover(ctx, {
    endpoint: new URL(upstream.path, destination.origin),
    origins,
    ...(setting.authorizationServer === undefined ? {} : { authorizationServer: setting.authorizationServer }),
  });
  if (!found.ok) {
    ctx.log.warn("mcp.sign_in_impossible", { destination: destination.id, why: found.reason });
    return err("site_unavailable");
  }
  const at = found.value;
  const client = await clientAt(ctx, at, {
    ...(setting.client === undefined ? {} : { registered: setting.client }),
    ...(setting.clientDocument === undefined ? {} : { document: setting.clientDocument }),
    returnUrl: back.url,
    origins,
  });
  if (!client.ok) {
    ctx.log.warn("mcp.sign_in_impossible", { destination: destination.id, why: client.reason });
    return err("site_unavailable");
  }
  // Without a refresh token the person would have to come every hour.
  const offline = at.metadata.scopes_supported?.includes("offline_access") === true ? ["offline_access"] : [];
  const wanted = [...at.scopes, ...(setting.scopes ?? []), ...(await askedScopes(ctx, at.issuer)), ...offline];
  const scope = [...new Set(wanted)].join(" ");
  const { authorizationUrl, codeVerifier } = await startAuthorization(at.issuer, {
    metadata: at.metadata,
    clientInformation: clientInformation(client.value),
    redirectUrl: back.url,
    state: back.state,
    resource: at.resource,
    ...(scope === "" ? {} : { scope }),
  });

  const exchanged = async (code: string, iss: string | undefined): Promise<OAuthTokens | undefined> => {
    try {
      return await exchangeAuthorization(at.issuer, {
        metadata: at.metadata,
        clientInformation: clientInformation(client.value),
        authorizationCode: code,
        codeVerifier,
        redirectUri: back.url,
        resource: at.resource,
        fetchFn: fetchWithin(ctx, origins),
        ...(iss === undefined ? {} : { iss }),
      });
    } catch {
      // What the server answers may quote the code.
      ctx.log.warn("mcp.exchange_failed", { destination: destination.id });
      return undefined;
    }
  };

  return ok({
    mode: "redirect",
    url: authorizationUrl.href,
    async returned(answer): Promise<ReturnAnswer> {
      const iss = answer.get("iss") ?? undefined;
      if (!isFrom(at.metadata, iss)) return { kind: "refused", message: NOT_TAKEN };
      const code = answer.get("code");
      if (code === null) return { kind: "refused", message: NOT_AGREED };
      const tokens = await exchanged(code, iss);
      if (tokens === undefined || tokens.token_type.toLowerCase() !== "bearer")
        return { kind: "refused", message: NOT_TAKEN };
      const before = {
        family: randomUUID(),
        issuer: at.issuer,
        resource: at.resource,
        ...client.value,
        ...(scope === "" ? {} : { scope }),
      };
      const material = toMaterial({ kind: "oauth", ...withTokens(ctx, before, tokens) });
      return verifiedBy(options.identify, material);
    },
    close: async () => {},
  });
}

/** RFC 9207, on an error as well: an answer of another server is not read at all. */
function isFrom(
  metadata: { readonly issuer: string; readonly authorization_response_iss_parameter_supported?: boolean | undefined },
  iss: string | undefined,
): boolean {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
    return true;
  } catch {
    return false;
  }
}

/** Whose account it is, by the server itself; without that nothing is connected. */
export async function verifiedBy(
  identify: OAuthSignInOptions["identify"],
  material: Secret<string>,
): Promise<ReturnAnswer> {
  try {
    const identity = await identify(material);
    return identity === undefined
      ? { kind: "refused", message: NOBODY }
      : { kind: "done", verified: { identity, material } };
  } catch (error) {
    if (error instanceof SiteTrouble) return { kind: "refused", message: NO_ANSWER };
    throw error;
  }
}

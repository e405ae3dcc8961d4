import { createHash, randomBytes } from "node:crypto";
import {
  type AccountIdentity,
  type Ctx,
  type Destination,
  type RedirectSignIn,
  type ReturnAnswer,
  type SignInReturn,
  SiteTrouble,
} from "@countersign/plugin";
import { secret } from "@countersign/wire";
import { toOAuthMaterial } from "../material.ts";
import { type HttpSession, httpSession, urlAt } from "../session.ts";
import { fixedToken } from "../tokens.ts";
import { askTokens, materialOf, type OAuthSignIn } from "./token-endpoint.ts";

export interface OAuthSignInOptions {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly oauth: OAuthSignIn;
  readonly back: SignInReturn;
  identify(session: HttpSession): Promise<AccountIdentity | undefined>;
}

const AGAIN = "The site did not let the gateway in. Begin again.";

/**
 * The person signs in and agrees at the site's own pages, in their own browser (RFC 6749 with PKCE, RFC 7636): password
 * and code are never the gateway's to see. What comes back is judged as this sign-in's by the gateway's own `state`.
 */
export function redirectSignIn(options: OAuthSignInOptions): RedirectSignIn {
  const { ctx, destination, oauth, back } = options;
  const verifier = secret(randomBytes(32).toString("base64url"));
  const url = urlAt(destination.origin, oauth.authorizePath);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: oauth.clientId,
    redirect_uri: back.url,
    scope: oauth.scope,
    state: back.state,
    code_challenge: createHash("sha256").update(verifier.reveal()).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();

  return {
    mode: "redirect",
    url: url.href,
    async returned(answer): Promise<ReturnAnswer> {
      // RFC 9207: an answer of another issuer's is no answer of this site's.
      const issuer = answer.get("iss");
      if (issuer !== null && issuer !== destination.origin) return { kind: "refused", message: AGAIN };
      const code = answer.get("code");
      if (code === null || code === "")
        return {
          kind: "refused",
          message: answer.get("error") === "access_denied" ? "You did not let the gateway in at the site." : AGAIN,
        };
      const tokens = await askTokens(ctx, destination, oauth, {
        grant_type: "authorization_code",
        code,
        redirect_uri: back.url,
        code_verifier: verifier.reveal(),
      });
      if (!tokens.ok) return { kind: "refused", message: AGAIN };
      const material = materialOf(tokens.value, randomBytes(16).toString("base64url"));
      const identity = await whose(options, httpSession(ctx, destination, fixedToken(material.token)));
      if (identity === undefined) return { kind: "refused", message: "The site did not say whose account this is." };
      return { kind: "done", verified: { identity, material: toOAuthMaterial(material) } };
    },
    close: async () => {},
  };
}

async function whose(options: OAuthSignInOptions, session: HttpSession): Promise<AccountIdentity | undefined> {
  try {
    return await options.identify(session);
  } catch (error) {
    if (error instanceof SiteTrouble) return undefined;
    throw error;
  }
}

import { isJsonObject } from "@countersign/wire";
import { SuiteTrouble } from "../check.ts";
import { call, type HttpAnswer } from "../http.ts";
import type { AgentAccess } from "../transport/transport.ts";
import type { AgentCredential } from "./operator.ts";

const RENEW_BEFORE_MS = 30_000;

/** Access tokens from a refresh token that changes at every use (OAuth 2.1 section 4.3.1). */
export function refreshingAccess(name: string, credential: AgentCredential): AgentAccess {
  let { refreshToken } = credential;
  let current: { readonly token: string; readonly until: number } | undefined;
  let renewing: Promise<string> | undefined;

  const ask = (resource: string): Promise<HttpAnswer> =>
    call({
      method: "POST",
      url: credential.tokenEndpoint,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: credential.clientId,
        refresh_token: refreshToken,
        resource,
      }).toString(),
    });
  const take = (answer: HttpAnswer): string | undefined => {
    const body = answer.json !== undefined && isJsonObject(answer.json) ? answer.json : {};
    const { access_token: token, refresh_token: next } = body;
    if (answer.status !== 200 || typeof token !== "string") return undefined;
    if (typeof next === "string") refreshToken = next;
    return token;
  };
  const renew = async (): Promise<string> => {
    const answer = await ask(credential.resource);
    const token = take(answer);
    if (token === undefined) throw new SuiteTrouble(`the token endpoint answered ${answer.status} to ${name}`);
    const seconds = answer.json !== undefined && isJsonObject(answer.json) ? Number(answer.json["expires_in"]) : 0;
    current = { token, until: Date.now() + seconds * 1000 - RENEW_BEFORE_MS };
    return token;
  };
  return {
    name,
    async authorization() {
      if (current !== undefined && current.until > Date.now()) return `Bearer ${current.token}`;
      // One renewal at a time: a rotated token that is used twice looks stolen (lessons U48).
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return `Bearer ${await renewing}`;
    },
    async tokenFor(resource) {
      const token = take(await ask(resource));
      return token === undefined ? "refused" : { authorization: `Bearer ${token}` };
    },
  };
}

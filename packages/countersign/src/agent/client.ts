import { err, isJsonObject, type JsonObject, ok, parseJson, type Result, type Secret, secret } from "@countersign/wire";
import { type Credential, writeCredential } from "./credential.ts";

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const RENEW_BEFORE_MS = 20_000;

export interface ApiAnswer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: JsonObject;
}
export type ApiFailure = "unreachable" | "no_access";

/** An agent's own view of the gateway: HTTP with a short access token, renewed from the credential file. */
export interface AgentClient {
  get(path: string): Promise<Result<ApiAnswer, ApiFailure>>;
  post(path: string, body: string): Promise<Result<ApiAnswer, ApiFailure>>;
  /** An access token for the credential's resource, for whoever sends requests of another form. */
  bearer(): Promise<Result<Secret<string>, ApiFailure>>;
}

export function createAgentClient(start: Credential, keep: (credential: Credential) => void): AgentClient {
  let credential = start;
  let access: { readonly token: Secret<string>; readonly until: number } | undefined;

  const renew = async (): Promise<Result<Secret<string>, ApiFailure>> => {
    const form = new URLSearchParams({
      grant_type: "refresh_token",
      client_id: credential.clientId,
      refresh_token: credential.refreshToken.reveal(),
      resource: credential.resource,
    });
    const answer = await send(new Request(credential.tokenEndpoint, { method: "POST", body: form }));
    if (!answer.ok) return answer;
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = answer.value.body;
    if (answer.value.status !== 200 || typeof accessToken !== "string" || typeof refreshToken !== "string")
      return err("no_access");
    credential = { ...credential, refreshToken: secret(refreshToken) };
    // Kept before the access token is used: a rotated token that is lost cannot be had again.
    keep(credential);
    access = { token: secret(accessToken), until: Date.now() + Number(expiresIn) * 1000 - RENEW_BEFORE_MS };
    return ok(access.token);
  };

  let renewing: ReturnType<typeof renew> | undefined;
  /** Two at once would use one refresh token twice, which ends the whole grant. */
  const token = async (): Promise<Result<Secret<string>, ApiFailure>> => {
    if (access !== undefined && access.until > Date.now()) return ok(access.token);
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  const call = async (path: string, init: RequestInit): Promise<Result<ApiAnswer, ApiFailure>> => {
    const bearer = await token();
    if (!bearer.ok) return bearer;
    const headers = {
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      authorization: `Bearer ${bearer.value.reveal()}`,
    };
    return send(new Request(new URL(path, credential.resource), { ...init, headers }));
  };

  return {
    get: (path) => call(path, { method: "GET" }),
    post: (path, body) => call(path, { method: "POST", body }),
    bearer: token,
  };
}

export function fileClient(path: string, credential: Credential): AgentClient {
  return createAgentClient(credential, (next) => writeCredential(path, next));
}

async function send(request: Request): Promise<Result<ApiAnswer, ApiFailure>> {
  try {
    const response = await fetch(request, { redirect: "error" });
    const body = parseJson(new Uint8Array(await response.arrayBuffer()), { maxBytes: ANSWER_BYTES_MAX });
    const value = body.ok && isJsonObject(body.value) ? body.value : {};
    return ok({
      status: response.status,
      replayed: response.headers.get("idempotency-replayed") === "true",
      body: value,
    });
  } catch {
    return err("unreachable");
  }
}

import { isJsonObject, type JsonObject, parseJson, type Secret, secret } from "@countersign/wire";
import { ANSWER_BYTES_MAX, ANSWER_MS, RENEW_BEFORE_MS } from "./limits.ts";
import { type Clock, systemClock } from "./time.ts";

/**
 * Where access tokens come from: asked before each request, and once more with the token that was just refused.
 * Undefined when there is none.
 */
export type TokenSource = (refused?: Secret<string>) => Promise<Secret<string> | undefined>;

export interface RefreshOptions {
  /** The members of the file that `countersign agent add` writes. */
  readonly clientId: string;
  readonly tokenEndpoint: string;
  /** What the tokens are for, for example `https://gateway.example/v1`. */
  readonly resource: string;
  readonly refreshToken: Secret<string>;
  /**
   * Keeps the next refresh token, for the one before counts no more. It is awaited before the access token is used: a
   * token that was lost cannot be had again.
   */
  readonly keep: (next: Secret<string>) => Promise<void> | void;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

/**
 * Access tokens from a refresh token that changes at each use. One renewal at a time: a second use of one refresh token
 * ends every token of that answer (U48).
 */
export function refreshingToken(options: RefreshOptions): TokenSource {
  const { clock = systemClock, fetch: send = globalThis.fetch } = options;
  let { refreshToken } = options;
  let access: { readonly token: Secret<string>; readonly until: number } | undefined;
  let renewing: Promise<Secret<string> | undefined> | undefined;

  const renew = async (): Promise<Secret<string> | undefined> => {
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      client_id: options.clientId,
      refresh_token: refreshToken.reveal(),
      resource: options.resource,
    });
    const json = await post(send, options.tokenEndpoint, body);
    const { access_token: token, refresh_token: next, expires_in: seconds } = json ?? {};
    if (typeof token !== "string" || typeof seconds !== "number") return undefined;
    if (typeof next === "string") {
      refreshToken = secret(next);
      await options.keep(refreshToken);
    }
    access = { token: secret(token), until: clock.now() + seconds * 1000 - RENEW_BEFORE_MS };
    return access.token;
  };

  return (refused) => {
    const isFresh = access !== undefined && access.until > clock.now() && access.token !== refused;
    if (isFresh) return Promise.resolve(access?.token);
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
}

async function post(send: typeof fetch, url: string, body: URLSearchParams): Promise<JsonObject | undefined> {
  try {
    const answer = await send(url, {
      method: "POST",
      body,
      redirect: "error",
      credentials: "omit",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const json = parseJson(new Uint8Array(await answer.arrayBuffer()), { maxBytes: ANSWER_BYTES_MAX });
    return answer.status === 200 && json.ok && isJsonObject(json.value) ? json.value : undefined;
  } catch {
    // Errors of the transport may quote the request.
    return undefined;
  }
}

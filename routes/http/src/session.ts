import {
  type Ctx,
  type Destination,
  type HeldExchange,
  type RequestPattern,
  type Session,
  SiteTrouble,
} from "@countersign/plugin";
import { assert, type Json, parseJson, type Secret, secret } from "@countersign/wire";
import { ANSWER_JSON_BYTES_MAX, ANSWER_JSON_DEPTH_MAX } from "./limits.ts";

/** One call of a site's API. `body` is sent as JSON. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Begins with `/`; may have a query. */
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `json` is undefined when the body is empty or not strict JSON. */
export interface ApiResponse {
  readonly status: number;
  readonly json: Json | undefined;
}

/** A site's API, signed in as the account holder. The token is added here and is never the adapter's to see. */
export interface HttpSession extends Session {
  readonly kind: "http";
  /**
   * One request, no redirect, no repeat. A request that commits at this site is refused: it can only be held.
   * @throws SiteTrouble when no whole answer came back.
   */
  call(call: ApiCall): Promise<ApiResponse>;
  /** Builds the committing request, unsent; the gateway sends it from the boundary. */
  hold(call: ApiCall): Promise<HeldExchange>;
}

export function httpSession(ctx: Ctx, destination: Destination, token: Secret<string>): HttpSession {
  const { origin } = destination;
  return {
    kind: "http",
    origin,
    async call(call) {
      const url = urlAt(origin, call.path);
      assert(!commits(destination.commits, call.method, url.pathname), "a committing request is held, never called");
      return send(ctx, url, call, token);
    },
    async hold(call) {
      const url = urlAt(origin, call.path);
      assert(commits(destination.commits, call.method, url.pathname), "only a declared commit is held");
      const headers = { ...headersOf(call), accept: "application/json", "accept-encoding": "identity" };
      return {
        request: {
          method: call.method,
          url: url.href,
          headers: [
            ...Object.entries(headers).map(([name, value]) => [name, secret(value)] as const),
            ["authorization", secret(`Bearer ${token.reveal()}`)] as const,
          ],
          body: secret(new TextEncoder().encode(call.body === undefined ? "" : JSON.stringify(call.body))),
        },
        // Nobody waits for the answer on this route: there is no page.
        answer: async () => {},
        abandon: async () => {},
      };
    },
  };
}

/** A call before there is a session: the steps of a sign-in. */
export async function callWithoutSession(ctx: Ctx, origin: string, call: ApiCall): Promise<ApiResponse> {
  return send(ctx, urlAt(origin, call.path), call, undefined);
}

async function send(ctx: Ctx, url: URL, call: ApiCall, token: Secret<string> | undefined): Promise<ApiResponse> {
  const headers = new Headers({ accept: "application/json", ...headersOf(call) });
  if (token !== undefined) headers.set("authorization", `Bearer ${token.reveal()}`);
  const init = {
    method: call.method,
    headers,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await ctx.fetch(new Request(url, init));
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new SiteTrouble("the site's API gave no whole answer");
  }
  const parsed = parseJson(bytes, { maxBytes: ANSWER_JSON_BYTES_MAX, maxDepth: ANSWER_JSON_DEPTH_MAX });
  return { status: response.status, json: parsed.ok ? parsed.value : undefined };
}

function headersOf(call: ApiCall): Record<string, string> {
  return { ...(call.body === undefined ? {} : { "content-type": "application/json" }), ...call.headers };
}

/** @throws AssertionFailed for a path that leads to another origin: adapters name their own site's paths. */
function urlAt(origin: string, path: string): URL {
  assert(path.startsWith("/") && URL.canParse(path, origin), "an API path begins with a slash");
  const url = new URL(path, origin);
  assert(url.origin === origin, "an API path stays at its origin");
  return url;
}

/** Exact method and path; `*` stands for one segment, and the query does not count. */
export function commits(patterns: readonly RequestPattern[], method: string, path: string): boolean {
  return patterns.some((pattern) => {
    const wanted = pattern.path.split("/");
    const given = path.split("/");
    return (
      pattern.method === method && wanted.length === given.length && wanted.every((w, i) => w === "*" || w === given[i])
    );
  });
}

import type { Ctx, Destination, HeldExchange, Session } from "@countersign/plugin";
import { assert, type Json, type Secret, secret } from "@countersign/wire";
import { commitOf } from "./commits.ts";
import { type Exchanged, exchange } from "./exchange.ts";

export interface HttpInit {
  /** Default GET. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `signed_out`: the site answered 401; the person has to sign in again. `json` is absent when it was no strict JSON. */
export type HttpAnswer = ({ readonly kind: "answer" } & Exchanged) | { readonly kind: "signed_out" };

/** A site's API, signed in as the account holder. The token is added here and is never the adapter's to see. */
export interface HttpSession extends Session {
  readonly kind: "http";
  /**
   * One request to the site's own origin: no redirect, no repeat. A request that commits is refused: it can only be held.
   * @param path begins with `/`; may have a query.
   * @throws SiteTrouble when no whole answer came back.
   */
  fetch(path: string, init?: HttpInit): Promise<HttpAnswer>;
  /** Builds the committing request, unsent: the gateway sends it, from the boundary. */
  hold(path: string, init: HttpInit): Promise<HeldExchange>;
}

export function httpSession(ctx: Ctx, destination: Destination, token: Secret<string>): HttpSession {
  const { origin } = destination;
  return {
    kind: "http",
    origin,
    async fetch(path, init = {}) {
      const url = urlAt(origin, path);
      const method = init.method ?? "GET";
      assert(commitOf(method, url, destination.commits) === undefined, "a committing request is held, never fetched");
      const answer = await exchange(ctx, url, { ...init, method }, token);
      return answer.status === 401 ? { kind: "signed_out" } : { kind: "answer", ...answer };
    },
    async hold(path, init) {
      const url = urlAt(origin, path);
      const method = init.method ?? "POST";
      assert(commitOf(method, url, destination.commits) !== undefined, "only a declared commit is held");
      const type = init.body === undefined ? {} : { "content-type": "application/json" };
      const headers = { accept: "application/json", "accept-encoding": "identity", ...type, ...init.headers };
      return {
        request: {
          method,
          url: url.href,
          headers: [
            ...Object.entries(headers).map(([name, value]) => [name, secret(value)] as const),
            ["authorization", secret(`Bearer ${token.reveal()}`)],
          ],
          body: secret(new TextEncoder().encode(init.body === undefined ? "" : JSON.stringify(init.body))),
        },
        // Nobody waits for the answer on this route: there is no page.
        answer: async () => {},
        abandon: async () => {},
      };
    },
  };
}

/** @throws AssertionFailed for a path that leads to another origin: adapters name their own site's paths. */
export function urlAt(origin: string, path: string): URL {
  assert(path.startsWith("/") && URL.canParse(path, origin), "an API path begins with a slash");
  const url = new URL(path, origin);
  assert(url.origin === origin, "an API path stays at its origin");
  return url;
}

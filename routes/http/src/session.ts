import {
  type Answer,
  type Ctx,
  type Destination,
  type HeldExchange,
  type Session,
  SiteTrouble,
} from "@countersign/plugin";
import { assert, type Json, type Secret, secret } from "@countersign/wire";
import { commitOf } from "./commits.ts";
import { asBearer, type Presents } from "./credential.ts";
import { type Exchanged, wholeExchange } from "./exchange.ts";
import { TOKEN_SPARE_COMMIT_MS, TOKEN_SPARE_MS } from "./limits.ts";
import type { AnswerHead, SessionTokens, TokenProblem } from "./tokens.ts";

export interface HttpInit {
  /** Default GET. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `signed_out`: the site answered 401, or led to its sign-in page where that is known, and nothing renews the session; the person has to sign in again. `json` is absent when it was no strict JSON. */
export type HttpAnswer = ({ readonly kind: "answer" } & Exchanged) | { readonly kind: "signed_out" };

/** A site's API, signed in as the account holder. The token is added here and is never the adapter's to see. */
export interface HttpSession extends Session {
  readonly kind: "http";
  /**
   * One request to the site's own origin: no redirect. Only a GET is ever repeated, once, with a token renewed after a
   * 401. A request that commits is refused: it can only be held.
   * @param path begins with `/`; may have a query.
   * @throws SiteTrouble when no whole answer came back.
   */
  fetch(path: string, init?: HttpInit): Promise<HttpAnswer>;
  /**
   * Builds the committing request, unsent: the gateway sends it, from the boundary.
   * @param putBack undoes what was made ready for it at the site (a cart); called once it is certain that nothing leaves.
   */
  hold(path: string, init: HttpInit, putBack?: () => Promise<void>): Promise<HeldExchange>;
}

/** @param presents how the site wants to be shown the token; as a bearer token when absent. */
export function httpSession(
  ctx: Ctx,
  destination: Destination,
  tokens: SessionTokens,
  presents: Presents = asBearer,
): HttpSession {
  const { origin } = destination;
  return {
    kind: "http",
    origin,
    async fetch(path, init = {}) {
      const url = urlAt(origin, path);
      const method = init.method ?? "GET";
      assert(
        commitOf(method, url, destination.commits, init.body) === undefined,
        "a committing request is held, never fetched",
      );
      const token = await tokens.lasting(TOKEN_SPARE_MS);
      if (!token.ok) return stopped(token.reason);
      const ask = async (value: Secret<string>): Promise<HttpAnswer> => {
        const { answer, head } = await wholeExchange(ctx, url, { ...init, method }, presents(value));
        return (await meaning(tokens, head)) === "signed_out" ? { kind: "signed_out" } : { kind: "answer", ...answer };
      };
      const first = await ask(token.value);
      if (first.kind === "answer") return first;
      const another = await tokens.refused(token.value);
      if (!another.ok) return stopped(another.reason);
      // What is not a read is not sent twice, whatever the site said: the step is tried again from its start.
      if (method !== "GET") throw new SiteTrouble("the site did not take its own token");
      return ask(another.value);
    },
    async hold(path, init, putBack) {
      const url = urlAt(origin, path);
      const method = init.method ?? "POST";
      assert(commitOf(method, url, destination.commits, init.body) !== undefined, "only a declared commit is held");
      const token = await tokens.lasting(TOKEN_SPARE_COMMIT_MS);
      // The step before it has read with this session; the next one begins with a read, and hears that the person is needed.
      if (!token.ok) throw new SiteTrouble("the session ended before the commit was held");
      const type = init.body === undefined ? {} : { "content-type": "application/json" };
      const headers = { accept: "application/json", "accept-encoding": "identity", ...type, ...init.headers };
      const credential = presents(token.value);
      assert(
        Object.keys(headers).every((name) => name.toLowerCase() !== credential.header),
        "the credential is the route's to put in",
      );
      return {
        request: {
          method,
          url: url.href,
          headers: [
            ...Object.entries(headers).map(([name, value]) => [name, secret(value)] as const),
            [credential.header, credential.value],
          ],
          body: secret(new TextEncoder().encode(init.body === undefined ? "" : JSON.stringify(init.body))),
        },
        // Nobody waits for the answer on this route: there is no page. What the site changes of the session is taken over.
        answer: async (answer) => {
          await meaning(tokens, headOf(answer, url));
        },
        abandon: async (fate) => {
          if (fate === "unsent") await putBack?.();
        },
      };
    },
  };
}

async function meaning(tokens: SessionTokens, head: AnswerHead): Promise<"answer" | "signed_out"> {
  if (tokens.answered !== undefined) return tokens.answered(head);
  return head.status === 401 ? "signed_out" : "answer";
}

function headOf({ status, headers }: Answer, url: URL): AnswerHead {
  const named = (wanted: string) => headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const [location] = named("location");
  return { status, url, setCookies: named("set-cookie"), ...(location === undefined ? {} : { location }) };
}

/** @throws SiteTrouble when it is not the person who is missing. */
function stopped(reason: TokenProblem): HttpAnswer {
  if (reason === "unavailable") throw new SiteTrouble("the site does not renew its token at the moment");
  return { kind: "signed_out" };
}

/** @throws AssertionFailed for a path that leads to another origin: adapters name their own site's paths. */
export function urlAt(origin: string, path: string): URL {
  assert(path.startsWith("/") && URL.canParse(path, origin), "an API path begins with a slash");
  const url = new URL(path, origin);
  assert(url.origin === origin, "an API path stays at its origin");
  return url;
}

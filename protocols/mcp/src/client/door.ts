import type { Answer, Ctx, HeldExchange } from "@countersign/plugin";
import { assert, isJsonObject, type JsonObject, parseJson, type Secret, secret } from "@countersign/wire";
import type { FetchLike } from "@modelcontextprotocol/client";
import { LIST_BYTES_MAX } from "./limits.ts";
import type { Tokens } from "./oauth/tokens.ts";
import { Stopped, type Trouble } from "./trouble.ts";

export interface Door {
  /** What the library sends by. */
  readonly fetch: FetchLike;
  /** Runs one request of the library's and collects what answers `method`; why it failed, when it did. */
  watch(method: string, work: () => Promise<unknown>): Promise<Watched>;
  /** The next call of this tool is kept here, unsent; once it is answered or abandoned, nothing else passes. */
  hold(tool: string, work: () => Promise<unknown>): Promise<HeldExchange | Trouble>;
}

export interface Watched {
  readonly answers: readonly Answer[];
  readonly trouble?: Trouble;
  /** What the library threw, if it did. */
  readonly failed: boolean;
}

export interface DoorOptions {
  readonly ctx: Pick<Ctx, "fetch" | "withIdentity">;
  readonly endpoint: URL;
  readonly commits: readonly string[];
  readonly tokens: Tokens;
}

/** What may be sent along besides the token: what the protocol says, and nothing of whoever asked us. */
const HEADERS =
  /^(accept|content-type|last-event-id|mcp-(method|name|protocol-version|session-id|param-[\w!#$%&'*+.^`|~-]{1,100}))$/;
const BODY_BYTES_MAX = 256 * 1024;

interface Passing {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * All that the library sends passes here: to the one endpoint, with headers that are made from nothing, through the one
 * way out, and never a commit. The commit itself stands still here until the gateway has sent it (design: the boundary).
 */
export function createDoor(options: DoorOptions): Door {
  const { ctx, endpoint, commits, tokens } = options;
  let watched: { readonly method: string; readonly answers: Answer[] } | undefined;
  let trouble: Trouble | undefined;
  let awaited: { readonly tool: string; readonly take: (held: HeldExchange) => void } | undefined;
  let closed = false;

  const stop = (why: Trouble): never => {
    trouble = why;
    throw new Stopped(why);
  };

  const requestOf = (passing: Passing, token: Secret<string> | undefined): Request => {
    const headers = new Headers(passing.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token.reveal()}`);
    return new Request(endpoint, {
      method: passing.method,
      headers,
      redirect: "manual",
      ...(passing.method === "POST" ? { body: passing.body } : {}),
    });
  };

  const send = async (passing: Passing, token: Secret<string> | undefined): Promise<Answer> => {
    // With the signatures of whoever proves who is calling (PLG-7).
    const request = await ctx.withIdentity(requestOf(passing, token));
    try {
      const response = await ctx.fetch(request);
      const body = new Uint8Array(await response.arrayBuffer());
      if (body.length > LIST_BYTES_MAX) return stop("lost");
      return { status: response.status, headers: [...response.headers.entries()], body };
    } catch (error) {
      // What the network says may quote the request, so it is not kept.
      if (error instanceof Stopped) throw error;
      return stop("lost");
    }
  };

  /** One renewal, and then the same again: a 401 means that nothing was done. */
  const sendSignedIn = async (passing: Passing): Promise<Answer> => {
    const token = await tokens.current();
    if (!token.ok) return stop(token.reason === "sign_in" ? "signed_out" : "lost");
    const answer = await send(passing, token.value);
    if (answer.status !== 401) return answer;
    const renewed = await tokens.refused(token.value);
    if (!renewed.ok) return stop(renewed.reason === "sign_in" ? "signed_out" : "lost");
    const again = await send(passing, renewed.value);
    return again.status === 401 ? stop("signed_out") : again;
  };

  const holdIt = async (passing: Passing, take: (held: HeldExchange) => void): Promise<Response> => {
    const token = await tokens.current();
    if (!token.ok) return stop(token.reason === "sign_in" ? "signed_out" : "lost");
    // Not signed here: the gateway signs what it sends once, last of all.
    const request = requestOf(passing, token.value);
    const headers = [...request.headers.entries(), ["accept-encoding", "identity"] as const];
    return new Promise((resolve, reject) => {
      take({
        request: {
          method: passing.method,
          url: endpoint.href,
          headers: headers.map(([name, value]) => [name, secret(value)] as const),
          body: secret(passing.body),
        },
        async answer(answer) {
          // What the library makes of it sends nothing any more: no repetition, no going on with a broken stream.
          closed = true;
          resolve(responseOf(answer));
        },
        async abandon() {
          closed = true;
          reject(new Stopped("refused"));
        },
      });
    });
  };

  return {
    async fetch(url, init = {}) {
      const passing = passingOf(url, init, endpoint) ?? stop("refused");
      // A session is said good-bye to after the commit as well.
      if (closed && passing.method !== "DELETE") return stop("refused");
      // We open no stream of the server's own: nobody listens.
      if (passing.method === "GET" && !passing.headers.has("last-event-id")) return new Response(null, { status: 405 });
      const message = passing.method === "POST" ? messageOf(passing.body) : {};
      if (message === undefined) return stop("refused");
      const method = message["method"];
      // What is under way is never called off from here: a commit is not to be ended by a closing session.
      if (method === "notifications/cancelled") return new Response(null, { status: 202 });
      const tool = method === "tools/call" ? toolOf(message) : undefined;
      if (tool !== undefined && awaited?.tool === tool) {
        const { take } = awaited;
        awaited = undefined;
        return holdIt(passing, take);
      }
      if (tool !== undefined && commits.includes(tool)) return stop("refused");
      const answer = await sendSignedIn(passing);
      if (answer.status === 403) {
        const asked = await tokens.challenged(answer);
        if (asked !== "no") return stop(asked === "sign_in" ? "signed_out" : "forbidden");
      }
      // What a server goes on with under the number of the last event belongs to the same request.
      if (watched !== undefined && (watched.method === method || passing.method === "GET"))
        watched.answers.push(answer);
      return responseOf(answer);
    },

    async watch(method, work) {
      assert(watched === undefined, "one request at a time");
      const watching = { method, answers: [] as Answer[] };
      watched = watching;
      trouble = undefined;
      const failed = await work().then(
        () => false,
        () => true,
      );
      watched = undefined;
      return { answers: watching.answers, failed, ...(trouble === undefined ? {} : { trouble }) };
    },

    hold(tool, work) {
      trouble = undefined;
      return new Promise((resolve) => {
        awaited = { tool, take: resolve };
        // The call ends with the gateway's answer, with its abandonment, or before it ever came here.
        void work()
          .catch(() => {})
          .then(() => {
            awaited = undefined;
            resolve(trouble ?? "lost");
          });
      });
    },
  };
}

function passingOf(url: string | URL, init: RequestInit, endpoint: URL): Passing | undefined {
  const method = init.method ?? "GET";
  if (new URL(url).href !== endpoint.href || !["POST", "GET", "DELETE"].includes(method)) return undefined;
  const headers = new Headers();
  for (const [name, value] of new Headers(init.headers)) if (HEADERS.test(name)) headers.set(name, value);
  if (init.body !== undefined && init.body !== null && typeof init.body !== "string") return undefined;
  const body = new TextEncoder().encode(init.body ?? "");
  return body.length > BODY_BYTES_MAX ? undefined : { method, headers, body };
}

function messageOf(body: Uint8Array): JsonObject | undefined {
  const parsed = parseJson(body, { maxBytes: BODY_BYTES_MAX });
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function toolOf({ params }: JsonObject): string {
  const name = params !== undefined && isJsonObject(params) ? params["name"] : undefined;
  return typeof name === "string" ? name : "";
}

function responseOf(answer: Answer): Response {
  const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
  return new Response(empty ? null : Uint8Array.from(answer.body), {
    status: answer.status,
    headers: answer.headers.map(([name, value]): [string, string] => [name, value]),
  });
}

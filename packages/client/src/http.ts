import {
  err,
  isJsonObject,
  isSecret,
  type JsonObject,
  ok,
  parseJson,
  parseOrigin,
  type Result,
  type Secret,
} from "@countersign/wire";
import { ANSWER_BYTES_MAX, ANSWER_MS, PATIENCE_MS, PAUSE_CAP_MS, PAUSE_FIRST_MS, SENDINGS_MAX } from "./limits.ts";
import { isPassing, localProblem, type Problem, problemOf } from "./problem.ts";
import { type Clock, systemClock } from "./time.ts";
import type { TokenSource } from "./token.ts";

export interface ClientOptions {
  /** The gateway's origin, for example `https://gateway.example`; plain http on this machine alone. */
  readonly gateway: string;
  /** An access token for the gateway's API, or where to get them. */
  readonly token: Secret<string> | TokenSource;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

export interface CallOptions {
  /** Ends the call; what was sent may have arrived. */
  readonly signal?: AbortSignal;
}

export interface Sending extends CallOptions {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: JsonObject;
  /** `same_effect`: a second sending does nothing that the first did not, so a lost answer is asked for again. */
  readonly repeat: "same_effect" | "never";
}

export interface Answer {
  readonly json: JsonObject;
  readonly headers: Headers;
}

/** Sends requests to the one gateway. It follows no redirect: nobody else ever sees the token. */
export interface Http {
  readonly clock: Clock;
  call(sending: Sending): Promise<Result<Answer, Problem>>;
  /** The body of an event stream, or why there is none. */
  stream(path: string, after: number, signal: AbortSignal): Promise<Result<ReadableStream<Uint8Array>, Problem>>;
}

/** @throws TypeError when `gateway` is no origin, or one to which a token would go in the clear. */
export function createHttp(options: ClientOptions): Http {
  const { clock = systemClock, fetch: send = (input, init) => globalThis.fetch(input, init) } = options;
  const { token } = options;
  const origin = gatewayOrigin(options.gateway);
  const source: TokenSource = isSecret(token) ? async (refused) => (refused === undefined ? token : undefined) : token;

  const once = async (
    { method, path, body, signal }: Omit<Sending, "repeat">,
    headers: Readonly<Record<string, string>>,
  ): Promise<Result<Response, Problem>> => {
    let refused: Secret<string> | undefined;
    for (;;) {
      const bearer = await source(refused).catch(() => undefined);
      if (bearer === undefined) return err(localProblem("no_token"));
      try {
        const answer = await send(`${origin}${path}`, {
          method,
          headers: { ...headers, authorization: `Bearer ${bearer.reveal()}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          redirect: "error",
          credentials: "omit",
          cache: "no-store",
          ...(signal === undefined ? {} : { signal }),
        });
        // Tokens are short-lived: one that has just run out is no news for the caller.
        if (answer.status !== 401 || refused !== undefined || isSecret(token)) return ok(answer);
        await answer.body?.cancel().catch(() => {});
        refused = bearer;
      } catch {
        // What a transport says of an error may quote the request, and so the token (U52).
        return err(localProblem("unreachable"));
      }
    }
  };

  const read = async (sending: Sending): Promise<Result<Answer, Problem>> => {
    const { signal, body } = sending;
    const limit = AbortSignal.timeout(ANSWER_MS);
    const sent = await once(
      { ...sending, signal: signal === undefined ? limit : AbortSignal.any([limit, signal]) },
      { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    );
    const bytes = sent.ok ? await bodyOf(sent.value) : undefined;
    if (signal?.aborted === true) return err(localProblem("aborted"));
    if (!sent.ok) return sent;
    if (bytes === undefined) return err(localProblem("unreachable"));
    const { status, headers } = sent.value;
    const parsed = parseJson(bytes, { maxBytes: ANSWER_BYTES_MAX });
    const json = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
    if (status === 204) return ok({ json: {}, headers });
    if (status >= 200 && status < 300)
      return json === undefined ? err(localProblem("unexpected_answer")) : ok({ json, headers });
    const problem = problemOf(status, json ?? {}, retryAfter(headers));
    return err(problem.status === undefined ? { ...problem, status } : problem);
  };

  return {
    clock,
    async call(sending) {
      const end = clock.now() + PATIENCE_MS;
      for (let sendings = 1; ; sendings += 1) {
        const answer = await read(sending);
        if (answer.ok || sending.repeat === "never" || !isPassing(answer.reason)) return answer;
        const pause = Math.max(answer.reason.retryAfterMs ?? 0, pauseAfter(sendings));
        if (sendings >= SENDINGS_MAX || clock.now() + pause > end) return answer;
        await clock.pause(pause, sending.signal);
        if (sending.signal?.aborted === true) return err(localProblem("aborted"));
      }
    },
    async stream(path, after, signal) {
      const head = new AbortController();
      const timer = setTimeout(() => head.abort(), ANSWER_MS);
      const sent = await once(
        { method: "GET", path, signal: AbortSignal.any([head.signal, signal]) },
        { accept: "text/event-stream", "last-event-id": String(after) },
      );
      clearTimeout(timer);
      if (!sent.ok) return sent;
      const { status, headers, body } = sent.value;
      if (status === 200 && body !== null && headers.get("content-type")?.startsWith("text/event-stream") === true)
        return ok(body);
      await body?.cancel().catch(() => {});
      return err({ ...localProblem("unexpected_answer"), status });
    },
  };
}

/** Doubles from 200 ms, with up to half of it by chance: many clients do not come back together. */
export function pauseAfter(sendings: number): number {
  return Math.min(PAUSE_FIRST_MS * 2 ** (sendings - 1), PAUSE_CAP_MS) * (1 + Math.random() / 2);
}

async function bodyOf(answer: Response): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await answer.arrayBuffer());
  } catch {
    return undefined;
  }
}

function retryAfter(headers: Headers): number | undefined {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d{1,5}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function gatewayOrigin(text: string): string {
  const origin = parseOrigin(text.replace(/\/$/, ""));
  if (!origin.ok) throw new TypeError("gateway: an origin such as https://gateway.example");
  const { protocol, hostname } = new URL(origin.value);
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (protocol !== "https:" && !isHere) throw new TypeError("gateway: https, or http on this machine alone");
  return origin.value;
}

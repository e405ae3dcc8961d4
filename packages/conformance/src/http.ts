import { type Json, parseJson } from "@countersign/wire";
import { SuiteTrouble } from "./check.ts";
import { ANSWER_BYTES_MAX, ANSWER_MS, GET_TRIES, SLOW_DOWN_MS_MAX, SLOW_DOWN_TIMES } from "./limits.ts";
import { sleep } from "./wait.ts";

/** One HTTP answer, whole. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: readonly string[];
  readonly text: string;
  /** The body as strict JSON; undefined when it is none. */
  readonly json: Json | undefined;
}

export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * One request, no redirect followed. What was not taken because the suite asks too often (429 with Retry-After) is sent
 * again after the pause that the gateway asks for.
 */
export async function call(request: HttpCall): Promise<HttpAnswer> {
  for (let n = 1; ; n += 1) {
    const answer = await answered(request);
    const pause = answer.status === 429 && n <= SLOW_DOWN_TIMES ? Number(answer.headers.get("retry-after")) : 0;
    if (!(pause > 0)) return answer;
    await sleep(Math.min(pause * 1000, SLOW_DOWN_MS_MAX));
  }
}

/** A GET is tried again when its connection broke; nothing else ever is. */
async function answered(request: HttpCall): Promise<HttpAnswer> {
  const tries = request.method === "GET" ? GET_TRIES : 1;
  for (let n = 1; ; n += 1) {
    try {
      return await once(request);
    } catch (error) {
      if (n >= tries) {
        const why = error instanceof Error ? `${error.name} ${causeOf(error)}`.trim() : "unknown";
        throw new SuiteTrouble(`${request.method} ${new URL(request.url).pathname} was not answered: ${why}`);
      }
    }
  }
}

async function once({ method, url, headers, body }: HttpCall): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const parsed = parseJson(text, { maxBytes: ANSWER_BYTES_MAX });
  return {
    status: response.status,
    headers: new Map(response.headers),
    cookies: response.headers.getSetCookie(),
    text,
    json: parsed.ok ? parsed.value : undefined,
  };
}

function causeOf(error: Error): string {
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
}

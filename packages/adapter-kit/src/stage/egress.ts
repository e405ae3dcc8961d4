import type { RequestPattern } from "@countersign/plugin";
import { asksDocument } from "@countersign/plugin/site";
import { REQUESTS_A_STEP_MAX, REQUESTS_AFTER_ABORT_MAX } from "../limits.ts";
import { type Spoiling, spoilAmounts } from "./spoil.ts";

/** What the way out does to every answer. */
export type Weather =
  | { readonly kind: "clear" }
  | { readonly kind: "wall_page" }
  | { readonly kind: "wall_redirect" }
  | { readonly kind: "half_page" }
  | { readonly kind: "slow_page" }
  | { readonly kind: "unreadable_amount"; readonly spoiling: Spoiling };

export interface LeftRequest {
  readonly method: string;
  readonly path: string;
  /** Read only where a body tells reads from commits. */
  readonly body: Uint8Array;
}

export const SIGN_IN_PAGE =
  '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1><form method="post"><input name="email"><input name="password" type="password"><button>Sign in</button></form></html>';

/**
 * The only way out that adapters are given here: it counts what leaves, and brings about the faults that lie between a
 * site and whoever asks it.
 */
export class RecordingEgress {
  weather: Weather = { kind: "clear" };
  /** Requests of the step that runs. */
  left: LeftRequest[] = [];
  /** Called when a request waits for a page that does not come. */
  onWaiting: () => void = () => {};
  /** Called when a step asks without end, or goes on asking after it was given up. */
  onEndless: () => void = () => {};
  #signal: AbortSignal = new AbortController().signal;
  #afterAbort = 0;
  readonly #send: (request: Request) => Promise<Response>;

  constructor(send: (request: Request) => Promise<Response>) {
    this.#send = send;
  }

  begin(signal: AbortSignal): void {
    this.left = [];
    this.#afterAbort = 0;
    this.#signal = signal;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.clone().arrayBuffer());
    this.left.push({ method: request.method, path: new URL(request.url).pathname, body });
    if (this.#signal.aborted) {
      this.#afterAbort += 1;
      if (this.#afterAbort > REQUESTS_AFTER_ABORT_MAX) return this.#never();
      throw new DOMException("the step was given up", "AbortError");
    }
    if (this.left.length > REQUESTS_A_STEP_MAX) return this.#never();
    switch (this.weather.kind) {
      case "wall_page":
        return new Response(SIGN_IN_PAGE, { status: 200, headers: { "content-type": "text/html" } });
      case "wall_redirect":
        return new Response(null, { status: 302, headers: { location: new URL("/login", request.url).href } });
      case "slow_page":
        return this.#slow();
      case "half_page": {
        const whole = await this.#send(request);
        const bytes = new Uint8Array(await whole.arrayBuffer());
        return rebuilt(whole, bytes.slice(0, Math.floor(bytes.length / 2)));
      }
      case "unreadable_amount": {
        const whole = await this.#send(request);
        return rebuilt(whole, new TextEncoder().encode(spoilAmounts(await whole.text(), this.weather.spoiling)));
      }
      case "clear":
        return this.#send(request);
    }
  };

  /** A loop that waits for nothing can only be stopped by never answering it. */
  #never(): Promise<Response> {
    this.onEndless();
    return new Promise(() => {});
  }

  #slow(): Promise<Response> {
    const signal = this.#signal;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("the step was given up", "AbortError")), {
        once: true,
      });
      this.onWaiting();
    });
  }
}

function rebuilt(whole: Response, body: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers(whole.headers);
  headers.delete("content-length");
  const hasBody = whole.status !== 204 && whole.status !== 304;
  return new Response(hasBody ? body : null, { status: whole.status, headers });
}

/** Whether a request is one of the declared commits; `*` stands for one segment. What is no declared read commits. */
export function isCommit(request: LeftRequest, patterns: readonly RequestPattern[]): boolean {
  const given = request.path.split("/").filter((segment) => segment !== "");
  return patterns.some(({ method, path, exceptDocuments }) => {
    const wanted = path.split("/").filter((segment) => segment !== "");
    const fits =
      wanted.length === given.length && wanted.every((segment, i) => segment === "*" || segment === given[i]);
    const harmless = exceptDocuments !== undefined && asksDocument(request.body, exceptDocuments);
    return method === request.method && fits && !harmless;
  });
}

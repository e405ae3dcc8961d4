import type { Answer, Fetch, HeldRequest } from "@countersign/plugin";
import { ok, type Result } from "@countersign/wire";
import type { Guard } from "./guard.ts";
import { sendOnWire, type WireProblem } from "./wire-request.ts";

/** The one way out of the gateway: the address guard, pinning, no redirects (seam `gateway.egress`). */
export interface Egress {
  readonly guard: Guard;
  readonly fetch: Fetch;
  /**
   * Sends a held request exactly once, if it still may leave when the connection stands: a process that was stopped
   * and woke up late must not send. Called by the boundary alone.
   */
  readonly sendOnce: (request: HeldRequest, mayLeave: () => boolean) => Promise<Result<Answer, WireProblem>>;
}

/** Thrown by `fetch` like a network error; says whether bytes may have left. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly problem: WireProblem;
  constructor(problem: WireProblem) {
    super(`outbound request: ${problem}`);
    this.problem = problem;
  }
}

export function createEgress(guard: Guard): Egress {
  return {
    guard,
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer());
      const answer = await sendOnWire(guard, {
        method: request.method,
        url: new URL(request.url),
        headers: [...request.headers.entries(), ["accept-encoding", "identity"]],
        body,
      });
      if (!answer.ok) throw new EgressError(answer.reason);
      const { status, headers } = answer.value;
      const empty = status === 204 || status === 205 || status === 304;
      return new Response(empty ? null : Uint8Array.from(answer.value.body), {
        status,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
      });
    },
    async sendOnce(held, mayLeave) {
      const answer = await sendOnWire(guard, {
        method: held.method,
        url: new URL(held.url),
        headers: held.headers.map(([name, value]) => [name, value.reveal()] as const),
        body: held.body.reveal(),
        mayLeave,
      });
      return answer.ok ? ok(answer.value) : answer;
    },
  };
}

import { isReason, type Reason } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { M } from "../messages.ts";

/** Why a call did not succeed: a reason of the profile's table, or no answer at all. */
export type CallProblem = Reason | "unreachable";

/** Reads from the gateway; never changes anything. Same origin only. */
export async function load<T>(path: string): Promise<Result<T, CallProblem>> {
  return call<T>(path, { method: "GET" });
}

/** Asks the gateway to change something; the header says that a page of ours made the call, which no foreign form can. */
export async function send<T>(path: string, body: object = {}): Promise<Result<T, CallProblem>> {
  const headers = { "content-type": "application/json", "x-countersign": "1" };
  return call<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function call<T>(path: string, init: RequestInit): Promise<Result<T, CallProblem>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/trusted/v1${path}`, {
      ...init,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    text = await response.text();
  } catch {
    return err("unreachable");
  }
  if (response.status === 204) return ok(undefined as T);
  const body = parse(text);
  if (response.ok) return body === undefined ? err("internal") : ok(body as T);
  if (response.status === 401) return err("unauthenticated");
  const reason = typeof body === "object" && body !== null && "reason" in body ? String(body.reason) : "";
  return err(isReason(reason) ? reason : "internal");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A problem in a person's words: the reason table speaks to programs. */
export function problemText(problem: CallProblem): string {
  return M.problems[problem] ?? M.problems.internal;
}

import { isReason, type Reason } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { M } from "../messages.ts";
import { noteServerDate, steadyNow } from "./clock.ts";

/** Why a call did not succeed: a reason of the profile's table, or no answer at all. */
export type CallProblem = Reason | "unreachable";

const SESSION_PATH = /^\/(session|sessions\/end-all|sign-in(\/outside)?\/finish|passkeys(\/confirm)?\/finish)(\/|$)/;
/** Somebody signed in or out in this page, or the session has a new token. */
export const SESSION_CHANGED = "countersign:session";

/** What the gateway says to everybody stands beside the trusted interface, not in it. */
export const PUBLIC_API = "/api/";

/** Reads from the gateway; never changes anything. Same origin only. */
export async function load<T>(path: string): Promise<Result<T, CallProblem>> {
  return call<T>(path, { method: "GET" });
}

/** Asks the gateway to change something; the header shows that a page of this very session made the call (U35). */
export async function send<T>(path: string, body: object = {}): Promise<Result<T, CallProblem>> {
  const headers = { "content-type": "application/json", "x-countersign": pageToken(document.cookie) };
  const answer = await call<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
  // What was read so far may be another person's.
  if (answer.ok && SESSION_PATH.test(path)) dispatchEvent(new Event(SESSION_CHANGED));
  return answer;
}

async function call<T>(path: string, init: RequestInit): Promise<Result<T, CallProblem>> {
  let response: Response;
  let text: string;
  const leftAt = steadyNow();
  try {
    response = await fetch(path.startsWith(PUBLIC_API) ? path : `/trusted/v1${path}`, {
      ...init,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    noteServerDate(response.headers.get("date"), leftAt, steadyNow());
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

/** The session's token for its pages, read afresh each time: another tab may have signed in anew. `1` before a sign-in. */
export function pageToken(cookies: string): string {
  const found = cookies.split(";").map((part) => part.trim().split("="));
  return found.find(([name]) => name === "__Host-countersign-page")?.[1] || "1";
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

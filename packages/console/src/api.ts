import { isReason, REASONS, type Reason } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";

export type CallProblem = Reason | "unreachable";

/** Same-origin calls only; the header says that a page of ours made them, which no foreign form can. */
export async function load<T>(path: string): Promise<Result<T, CallProblem>> {
  return call<T>(path, { method: "GET" });
}

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
    });
    text = await response.text();
  } catch {
    return err("unreachable");
  }
  if (response.status === 204) return ok(undefined as T);
  const body = parse(text);
  if (response.ok) return ok(body as T);
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

export function problemText(problem: CallProblem): string {
  return problem === "unreachable"
    ? "The gateway does not answer. Your decisions are kept; try again in a moment."
    : REASONS[problem].title;
}

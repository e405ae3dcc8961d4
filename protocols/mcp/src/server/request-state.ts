import { formatInstant, type Instant, isJsonObject, parseJson } from "@countersign/wire";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { boundTo, type Call } from "./call.ts";

/** As long as a record waits for its decision, and some. */
const STATE_LIFE_MS = 20 * 60_000;
/** How often one call asks its user to open the same page; after that there is the task's reference. */
export const ROUNDS_MAX = 3;

export interface RequestState {
  readonly taskId: string;
  readonly round: number;
}

const PURPOSE = "request-state";

/**
 * State that the client carries between two rounds of one call: sealed, bound to caller, tool and arguments, good for a
 * while and once. It names a task and gives no right to it; the truth is in the store.
 */
export function sealState(call: Call, state: RequestState): string {
  const { host } = call;
  const until = host.now() + STATE_LIFE_MS;
  const text = JSON.stringify({ task: state.taskId, round: state.round, until, id: host.newId("state") });
  return host.seal(PURPOSE, boundTo(call), text);
}

/** @throws ProtocolError (-32602), the same for whatever is wrong with it. */
export async function openState(call: Call, sealed: string): Promise<RequestState> {
  const text = call.host.unseal(PURPOSE, boundTo(call), sealed);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (parsed?.ok === true && isJsonObject(parsed.value)) {
    const { task, round, until, id } = parsed.value;
    const fine =
      typeof task === "string" && typeof round === "number" && typeof until === "number" && until > call.host.now();
    if (fine && (await call.store.insertUnique(`state:${String(id)}`, until as Instant)))
      return { taskId: task, round };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
}

/** For a request that has an end of its own and whose caller named none. */
export function soon(call: Call, ms: number): string {
  return formatInstant((call.host.now() + ms) as Instant);
}

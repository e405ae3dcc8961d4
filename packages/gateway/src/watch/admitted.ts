import { isTerminal, type Operation, TASK_STATES } from "@countersign/profile";
import { assert, DAY_MS, type JsonObject, parseInstant } from "@countersign/wire";
import type { Caller } from "../admission/caller.ts";
import type { Refusal } from "../admission/refusal.ts";
import { WATCH_DAYS_MAX, WATCHES_OF_AGENT_MAX, WATCHES_OF_PERSON_MAX } from "../limits.ts";
import type { Tx } from "../store/store.ts";

const OPEN_STATES = TASK_STATES.filter((state) => !isTerminal(state));

/** When a request's watch ends; undefined where its operation is none. */
export function watchEndOf(operation: Operation, parameters: JsonObject): number | undefined {
  if (operation.effect !== "read" || operation.repeats === undefined) return undefined;
  const told = parameters[operation.repeats.untilMember];
  const end = typeof told === "string" ? parseInstant(told) : undefined;
  assert(end?.ok === true, "an operation that repeats has the instant of its end in its parameters");
  return end.value;
}

/**
 * What speaks against a new watch. Its end lies ahead, not too far, and within the request's own time: nothing is done
 * for a request that has run out. And there are only so many of them, for each one goes on asking a destination.
 */
export async function watchObjection(
  tx: Tx,
  who: Caller,
  asked: { readonly operation: Operation; readonly endsAt: number; readonly requestExpiresAt: number },
  now: number,
): Promise<Refusal | undefined> {
  const { operation, endsAt, requestExpiresAt } = asked;
  const member = operation.effect === "read" ? (operation.repeats?.untilMember ?? "") : "";
  const refused = (pointer: string, rule: string): Refusal => ({
    reason: "invalid_request",
    problems: [{ pointer, rule }],
  });
  if (endsAt <= now) return refused(`/parameters/${member}`, "in the future");
  if (endsAt > now + WATCH_DAYS_MAX * DAY_MS) return refused(`/parameters/${member}`, `within ${WATCH_DAYS_MAX} days`);
  if (endsAt > requestExpiresAt) return refused("/expires_at", `not before /parameters/${member}`);
  const open = await tx
    .selectFrom("task")
    .select(["client_id", ({ fn }) => fn.countAll<number>().as("n")])
    .where("person_id", "=", who.personId)
    .where("watch_ends_at", "is not", null)
    .where("state", "in", OPEN_STATES)
    .groupBy("client_id")
    .execute();
  const mine = open.find(({ client_id: clientId }) => clientId === who.clientId)?.n ?? 0;
  const all = open.reduce((sum, { n }) => sum + Number(n), 0);
  if (Number(mine) >= WATCHES_OF_AGENT_MAX || all >= WATCHES_OF_PERSON_MAX) return { reason: "too_many_watches" };
  return undefined;
}

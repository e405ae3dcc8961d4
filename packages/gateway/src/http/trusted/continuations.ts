import type { Reason } from "@countersign/profile";
import { err, formatInstant, type Instant, ok, type Result, secret } from "@countersign/wire";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Refusal } from "../../admission/refusal.ts";
import { type ContinuationRow, findContinuation } from "../../connection/continuations.ts";
import type { ActiveHandOff, HandOffProblem, HandOffStep } from "../../connection/handoff.ts";
import type { Core, Owner } from "../../core.ts";
import type { CompletionView, ContinuationView, FormAnswerView, SignInTriesView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { registerLive } from "./live.ts";
import { type AddRoute, param } from "./trusted.ts";

const VALUE_CHARS_MAX = 1_000;
const formBody = z.strictObject({
  values: z.record(z.string().regex(/^[a-z0-9_]{1,40}$/), z.string().max(VALUE_CHARS_MAX)),
});

const RETURNED_CHARS_MAX = 8_192;
/** The query with which another site sent the browser back, as it came. */
const returnedBody = z.strictObject({ answer: z.string().max(RETURNED_CHARS_MAX) });

const PROBLEMS: Readonly<Record<HandOffProblem, Reason>> = {
  not_found: "not_found",
  gone: "gone",
  elsewhere: "begun_elsewhere",
  site_unavailable: "site_unavailable",
  busy: "busy",
  not_signed_in: "not_ready",
};

export function registerContinuations(app: FastifyInstance, add: AddRoute, parts: ServerParts): void {
  const { core, handOffs } = parts;
  add("GET", "/continuations/:ref", async (person, request) => {
    const row = await findContinuation(core.store.db, person, param(request, "ref"));
    if (row === undefined) return err({ reason: "not_found" });
    return ok(await view(parts, person, row, handOffs.active(row, person.sessionHash)));
  });
  add("POST", "/continuations/:ref/begin", async (person, request) => {
    const ref = param(request, "ref");
    const begun = await handOffs.begin(person, ref, person.sessionHash);
    if (!begun.ok) return refused(begun.reason);
    const row = await findContinuation(core.store.db, person, ref);
    return row === undefined ? err({ reason: "not_found" }) : ok(await view(parts, person, row, begun.value));
  });
  add("POST", "/continuations/:ref/form", async (person, request) => {
    const body = readBody(request, formBody);
    if (!body.ok) return body;
    const values = new Map(Object.entries(body.value.values).map(([name, value]) => [name, secret(value)]));
    const ref = param(request, "ref");
    const answer = await handOffs.submitForm(person, ref, person.sessionHash, values);
    if (!answer.ok) return refused(answer.reason);
    const row = await findContinuation(core.store.db, person, ref);
    const tries = row === undefined ? {} : await triesView(parts, person, row);
    return ok({ ...formAnswer(answer.value), ...tries, ...(await elsewhere(core, person, ref)) });
  });
  add("POST", "/continuations/:ref/returned", async (person, request) => {
    const body = readBody(request, returnedBody);
    if (!body.ok) return body;
    const ref = param(request, "ref");
    const came = await handOffs.returned(person, ref, person.sessionHash, new URLSearchParams(body.value.answer));
    if (!came.ok) return refused(came.reason);
    return ok({ ...formAnswer(came.value), ...(await elsewhere(core, person, ref)) });
  });
  add("POST", "/continuations/:ref/complete", async (person, request) => {
    const ref = param(request, "ref");
    const done = await handOffs.complete(person, ref, person.sessionHash);
    if (done.ok) return ok({ ...completion(done.value), ...(await elsewhere(core, person, ref)) });
    if (done.reason === "not_signed_in" || done.reason === "site_unavailable") {
      const shown: CompletionView = { outcome: done.reason, ...(await elsewhere(core, person, ref)) };
      return ok(shown);
    }
    return refused(done.reason);
  });
  registerLive(app, parts);
}

function refused(problem: HandOffProblem): Result<never, Refusal> {
  return err({ reason: PROBLEMS[problem] });
}

function formAnswer(step: HandOffStep): FormAnswerView {
  switch (step.kind) {
    case "connected":
      return { kind: "done", account_name: step.accountName };
    case "settled":
      return { kind: "done", task_state: step.state };
    case "waiting":
      return { ...step, kind: "more" };
    case "other_account":
      return { kind: "other_account", account_name: step.found, expected_name: step.expected };
    case "tries_spent":
      return { kind: "refused" };
    default:
      return step;
  }
}

function completion(step: HandOffStep): CompletionView {
  switch (step.kind) {
    case "connected":
      return { outcome: "connected", account_name: step.accountName, account_ref: step.accountRef };
    case "settled":
      return { outcome: "verified", task_state: step.state };
    case "other_account":
      return { outcome: "other_account", account_name: step.found, expected_name: step.expected };
    case "tries_spent":
      return { outcome: "not_signed_in" };
    default:
      return { outcome: "not_verified", ...(step.message === undefined ? {} : { message: step.message }) };
  }
}

/** The session that goes on hears that another one has tried to (U39). */
async function elsewhere(core: Core, person: Owner, ref: string): Promise<{ readonly tried_elsewhere_at?: string }> {
  const row = await findContinuation(core.store.db, person, ref);
  const at = row?.tried_elsewhere_at ?? null;
  return at === null ? {} : { tried_elsewhere_at: formatInstant(at as Instant) };
}

/** The account holder is warned before the last try and told when there is none (the lock-out guard). */
async function triesView(
  { handOffs }: ServerParts,
  person: Owner,
  row: ContinuationRow,
): Promise<{ readonly tries?: SignInTriesView }> {
  const tries = await handOffs.tries(person, row);
  if (tries === undefined || tries.left > 1) return {};
  const until = tries.until === undefined ? {} : { until: formatInstant(tries.until as Instant) };
  return { tries: { left: tries.left, ...until } };
}

async function view(
  parts: ServerParts,
  person: Owner,
  row: ContinuationRow,
  active: ActiveHandOff | undefined,
): Promise<ContinuationView> {
  const { core } = parts;
  const { db } = core.store;
  const account = await db
    .selectFrom("account")
    .select("destination")
    .where("account_ref", "=", row.account_ref)
    .executeTakeFirstOrThrow();
  const destination = core.destinations.get(account.destination);
  const task =
    row.task_id === null
      ? undefined
      : await db
          .selectFrom("task")
          .innerJoin("agent", "agent.client_id", "task.client_id")
          .select(["task.task_id", "task.operation", "agent.name"])
          .where("task.task_id", "=", row.task_id)
          .executeTakeFirst();
  const expired = core.now() >= row.expires_at;
  return {
    continuation_ref: row.continuation_ref,
    kind: row.kind,
    destination_title: destination?.title ?? account.destination,
    origin: destination?.origin ?? "",
    route: row.route,
    state: row.completed_at !== null ? "completed" : expired ? "expired" : row.begun_at === null ? "waiting" : "begun",
    expires_at: formatInstant(row.expires_at as Instant),
    ...(active === undefined ? {} : { mode: active.mode }),
    ...(active?.mode === "form" ? { fields: active.fields } : {}),
    ...(active?.mode === "redirect" ? { go_to: active.url } : {}),
    ...(await triesView(parts, person, row)),
    ...(row.tried_elsewhere_at === null
      ? {}
      : { tried_elsewhere_at: formatInstant(row.tried_elsewhere_at as Instant) }),
    ...(task === undefined
      ? {}
      : {
          task: {
            task_id: task.task_id,
            operation_title: core.catalogue.get(task.operation)?.title ?? task.operation,
            agent: task.name,
          },
        }),
  };
}

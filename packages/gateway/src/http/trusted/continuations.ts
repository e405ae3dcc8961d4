import type { Reason } from "@countersign/profile";
import { err, formatInstant, type Instant, ok, type Result, secret } from "@countersign/wire";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Refusal } from "../../admission/refusal.ts";
import { type ContinuationRow, findContinuation } from "../../connection/continuations.ts";
import type { ActiveSignIn, HandOffProblem } from "../../connection/handoff.ts";
import type { Core } from "../../core.ts";
import type { CompletionView, ContinuationView, FormAnswerView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { registerLive } from "./live.ts";
import { type AddRoute, param } from "./trusted.ts";

const VALUE_CHARS_MAX = 1_000;
const formBody = z.strictObject({
  values: z.record(z.string().regex(/^[a-z0-9_]{1,40}$/), z.string().max(VALUE_CHARS_MAX)),
});

const PROBLEMS: Readonly<Record<HandOffProblem, Reason>> = {
  not_found: "not_found",
  gone: "gone",
  conflict: "conflict",
  site_unavailable: "site_unavailable",
  busy: "busy",
  not_signed_in: "not_ready",
};

export function registerContinuations(app: FastifyInstance, add: AddRoute, parts: ServerParts): void {
  const { core, handOffs } = parts;
  add("GET", "/continuations/:ref", async (person, request) => {
    const row = await findContinuation(core.store.db, person, param(request, "ref"));
    if (row === undefined) return err({ reason: "not_found" });
    return ok(await view(core, row, handOffs.active(row.continuation_ref, person.sessionHash)));
  });
  add("POST", "/continuations/:ref/begin", async (person, request) => {
    const ref = param(request, "ref");
    const begun = await handOffs.begin(person, ref, person.sessionHash);
    if (!begun.ok) return refused(begun.reason);
    const row = await findContinuation(core.store.db, person, ref);
    return row === undefined ? err({ reason: "not_found" }) : ok(await view(core, row, begun.value));
  });
  add("POST", "/continuations/:ref/form", async (person, request) => {
    const body = readBody(request, formBody);
    if (!body.ok) return body;
    const values = new Map(Object.entries(body.value.values).map(([name, value]) => [name, secret(value)]));
    const answer = await handOffs.submitForm(person, param(request, "ref"), person.sessionHash, values);
    if (!answer.ok) return refused(answer.reason);
    const { value } = answer;
    const shown: FormAnswerView =
      value.kind === "done" ? { kind: "done", account_name: value.verified.identity.name } : value;
    return ok(shown);
  });
  add("POST", "/continuations/:ref/complete", async (person, request) => {
    const done = await handOffs.complete(person, param(request, "ref"), person.sessionHash);
    if (done.ok) {
      const shown: CompletionView = {
        outcome: "connected",
        account_name: done.value.accountName,
        account_ref: done.value.accountRef,
      };
      return ok(shown);
    }
    if (done.reason === "not_signed_in" || done.reason === "site_unavailable") {
      const shown: CompletionView = { outcome: done.reason };
      return ok(shown);
    }
    return refused(done.reason);
  });
  registerLive(app, parts);
}

function refused(problem: HandOffProblem): Result<never, Refusal> {
  return err({ reason: PROBLEMS[problem] });
}

async function view(core: Core, row: ContinuationRow, signIn: ActiveSignIn | undefined): Promise<ContinuationView> {
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
    ...(signIn === undefined ? {} : { mode: signIn.mode }),
    ...(signIn?.mode === "form" ? { fields: signIn.fields } : {}),
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

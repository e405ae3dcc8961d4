import { isReason, REASONS } from "@countersign/profile";
import { err, formatInstant, type Instant, ok, parseJws } from "@countersign/wire";
import { calledByView, readCalledBy } from "../../calling-identity/called-by.ts";
import type { Core } from "../../core.ts";
import { buildBundle, latestReceipt } from "../../evidence/bundle.ts";
import { EVENTS_PAGE, TASKS_PAGE } from "../../limits.ts";
import { asksWhatWasSeen, lookedBody, takeLooked } from "../../restore/looked.ts";
import { withdraw } from "../../tasks/cancel.ts";
import { eventsAfter, findTask, type TaskRow } from "../../tasks/tasks.ts";
import { nextStepOf } from "../../tasks/view.ts";
import type { TaskEventView, TaskView } from "../../trusted/contract.ts";
import { watchView } from "../../watch/view.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

const at = (ms: number) => formatInstant(ms as Instant);

export function registerTasks(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/tasks", async (person) => {
    const rows = await core.store.db
      .selectFrom("task")
      .selectAll()
      .where("tenant_id", "=", person.tenantId)
      .where("person_id", "=", person.personId)
      .orderBy("created_at", "desc")
      .limit(TASKS_PAGE)
      .execute();
    return ok({ tasks: await Promise.all(rows.map((row) => summary(core, row))) });
  });
  add("GET", "/tasks/:id", async (person, request) => {
    const task = await findTask(core.store.db, person, param(request, "id"));
    return task === undefined ? err({ reason: "not_found" }) : ok(await whole(core, task));
  });
  add("POST", "/tasks/:id/withdraw", async (person, request) => {
    const done = await withdraw(core, person, param(request, "id"), "holder");
    return done.ok ? ok(await whole(core, done.value.task)) : err({ reason: "not_found" });
  });
  add("POST", "/tasks/:id/looked", async (person, request) => {
    const id = param(request, "id");
    // Whose task it is comes before what is said about it: a stranger learns nothing from a body.
    if ((await findTask(core.store.db, person, id)) === undefined) return err({ reason: "not_found" });
    const body = readBody(request, lookedBody);
    if (!body.ok) return body;
    const taken = await takeLooked(core, person, id, body.value);
    return taken.ok ? ok(await whole(core, taken.value)) : err({ reason: taken.reason });
  });
  add("GET", "/tasks/:id/bundle", async (person, request, reply) => {
    const task = await findTask(core.store.db, person, param(request, "id"));
    if (task === undefined) return err({ reason: "not_found" });
    const bundle = await buildBundle(core, task);
    if (bundle === undefined) return err({ reason: "not_ready" });
    reply.header("content-disposition", `attachment; filename="${task.task_id}.bundle.json"`);
    return ok(bundle);
  });
}

async function summary(core: Core, task: TaskRow): Promise<TaskView> {
  const { db } = core.store;
  const agent = await db
    .selectFrom("agent")
    .select("name")
    .where("client_id", "=", task.client_id)
    .executeTakeFirstOrThrow();
  const account = await db
    .selectFrom("account")
    .select(["name", "destination"])
    .where("account_ref", "=", task.account_ref)
    .executeTakeFirstOrThrow();
  const title = core.destinations.get(account.destination)?.title ?? account.destination;
  const calledBy = readCalledBy(task.called_by);
  const watch = watchView(task);
  return {
    task_id: task.task_id,
    operation: task.operation,
    operation_title: core.catalogue.get(task.operation)?.title ?? task.operation,
    state: task.state,
    ...(task.reason === null ? {} : { reason: task.reason }),
    ...(task.reason !== null && isReason(task.reason) ? { reason_title: REASONS[task.reason].title } : {}),
    ...(watch === undefined ? {} : { watch }),
    next_step: nextStepOf(task),
    agent: agent.name,
    account: account.name === "" ? title : `${account.name}, ${title}`,
    created_at: at(task.created_at),
    updated_at: at(task.updated_at),
    needs_review: task.review_at !== null,
    ...(calledBy === undefined ? {} : { called_by: calledByView(calledBy) }),
    ...(asksWhatWasSeen(task) ? { asks_what_was_seen: true } : {}),
  };
}

async function whole(core: Core, task: TaskRow): Promise<TaskView> {
  const events = await eventsAfter(core.store.db, task.task_id, 0, EVENTS_PAGE);
  const receipt = await latestReceipt(core, task.task_id);
  const parsed = receipt === undefined ? undefined : parseJws(receipt.jws);
  return {
    ...(await summary(core, task)),
    events: events.map(
      (e): TaskEventView => ({
        seq: e.seq,
        at: at(e.at),
        state: e.state,
        ...(e.reason === null ? {} : { reason: e.reason }),
        ...(e.step === null ? {} : { step: e.step }),
        ...(e.label === null ? {} : { label: e.label }),
      }),
    ),
    ...(parsed?.ok ? { receipt: parsed.value.payload } : {}),
  };
}

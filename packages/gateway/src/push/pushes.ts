import { err, ok, parseHttpUrl, parseJson, type Result } from "@countersign/wire";
import type { Caller } from "../admission/caller.ts";
import type { Core } from "../core.ts";
import type { Guard } from "../egress/guard.ts";
import { PUSHES_OF_TASK_MAX } from "../limits.ts";
import type { Tx } from "../store/store.ts";
import { findTask, type TaskRow } from "../tasks/tasks.ts";
import { openText, sealText } from "../vault/seal.ts";

/** Where a client wants to hear of a task. `kept` is the binding's own text beside the address, sealed like it. */
export interface TaskPush {
  readonly id: string;
  readonly url: string;
  readonly kept: string;
}

/** A wish to hear of a task by whoever has been told of `toldState`: what it has become since is told at once. */
export interface NewTaskPush extends TaskPush {
  readonly toldState: string;
}

export type PushProblem = "not_found" | "too_many" | "bad_url";

/**
 * Where clients of a binding hear of a task's states. Another agent's task answers as an unknown one. A push ends with
 * its task: once the end was told, or could not be told, nothing of it is kept.
 */
export interface TaskPushes {
  /** Whether an address may be named: said before a task is made for whoever wants to hear of it. */
  allows(url: string): Promise<boolean>;
  /** The same id again takes its place. The address must be https and public, and is judged again at each sending. */
  put(caller: Caller, taskId: string, push: NewTaskPush): Promise<Result<undefined, PushProblem>>;
  list(caller: Caller, taskId: string): Promise<Result<readonly TaskPush[], "not_found">>;
  remove(caller: Caller, taskId: string, id: string): Promise<Result<undefined, "not_found">>;
}

export interface PushDeps {
  readonly core: Core;
  readonly plugin: string;
  readonly guard: Guard;
}

export function createPushes({ core, plugin, guard }: PushDeps): TaskPushes {
  /** An agent has its own tasks only: another agent of the same person is a stranger to it. */
  const withTask = <T, P>(
    who: Caller,
    taskId: string,
    work: (tx: Tx, task: TaskRow) => Promise<Result<T, P>>,
  ): Promise<Result<T, P | "not_found">> =>
    core.store.as({ tenantId: who.tenantId }, () =>
      core.store.transaction(async (tx): Promise<Result<T, P | "not_found">> => {
        const task = await findTask(tx, who, taskId);
        return task?.client_id === who.clientId ? work(tx, task) : err("not_found");
      }),
    );
  const rowsOf = (tx: Tx, taskId: string) =>
    tx
      .selectFrom("task_push")
      .select(["config_id", "sealed"])
      .where("task_id", "=", taskId)
      .where("plugin", "=", plugin)
      .orderBy("created_at")
      .orderBy("config_id")
      .execute();

  return {
    allows: (url) => mayBeAsked(guard, url),
    async put(who, taskId, push) {
      if (!(await mayBeAsked(guard, push.url))) return err("bad_url");
      const sealed = sealPush(core, { taskId, plugin, id: push.id }, push);
      return withTask<undefined, PushProblem>(who, taskId, async (tx) => {
        const present = await rowsOf(tx, taskId);
        const isNew = present.every((row) => row.config_id !== push.id);
        if (isNew && present.length >= PUSHES_OF_TASK_MAX) return err("too_many");
        const now = core.now();
        const values = {
          sealed,
          told_state: push.toldState,
          due_at: now,
          tries: 0,
          lease_owner: null,
          lease_until: null,
        };
        const named = { task_id: taskId, plugin, config_id: push.id };
        const whose = { tenant_id: who.tenantId, person_id: who.personId, client_id: who.clientId };
        await tx
          .insertInto("task_push")
          .values({ ...named, ...whose, ...values, created_at: now })
          .onConflict((c) => c.columns(["task_id", "plugin", "config_id"]).doUpdateSet(values))
          .execute();
        return ok(undefined);
      });
    },
    list: (who, taskId) =>
      withTask(who, taskId, async (tx) =>
        ok((await rowsOf(tx, taskId)).map((row) => openPush(core, { taskId, plugin, id: row.config_id }, row.sealed))),
      ),
    remove: (who, taskId, id) =>
      withTask(who, taskId, async (tx) => {
        await tx
          .deleteFrom("task_push")
          .where("task_id", "=", taskId)
          .where("plugin", "=", plugin)
          .where("config_id", "=", id)
          .execute();
        return ok(undefined);
      }),
  };
}

/** An address that nobody should have us ask is refused when it is named, not only when it is used (U51). */
async function mayBeAsked(guard: Guard, text: string): Promise<boolean> {
  const read = parseHttpUrl(text);
  if (!read.ok) return false;
  const { hostname, origin, protocol, port } = read.value;
  const pinned = await guard.pin({ hostname, origin, port: Number(port || (protocol === "https:" ? 443 : 80)) });
  if (!pinned.ok) return false;
  return protocol === "https:" || isNamed(hostname);
}

/** The guard lets this machine through only where the operator says so; then plain http is what stands there. */
function isNamed(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

export interface PushKey {
  readonly taskId: string;
  readonly plugin: string;
  readonly id: string;
}

function sealPush(core: Core, key: PushKey, { url, kept }: TaskPush): Uint8Array {
  return sealText(core.sealer, sealContext(key), JSON.stringify([url, kept]));
}

export function openPush(core: Core, key: PushKey, sealed: Uint8Array): TaskPush {
  const read = parseJson(openText(core.sealer, sealContext(key), sealed));
  const [url, kept] = read.ok && Array.isArray(read.value) ? read.value : [];
  if (typeof url !== "string" || typeof kept !== "string") throw new Error("a stored push is readable");
  return { id: key.id, url, kept };
}

function sealContext({ taskId, plugin, id }: PushKey): string {
  return JSON.stringify(["push", plugin, taskId, id]);
}

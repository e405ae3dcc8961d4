import { isTerminal, type TaskState } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { caller } from "../admission/caller.ts";
import type { Core } from "../core.ts";
import { createEgress, type Egress } from "../egress/egress.ts";
import type { Guard } from "../egress/guard.ts";
import { NOTICE_LEASE_MS, NOTICE_SENDERS_MAX, NOTICE_TRIES_MAX, PUSH_KEEP_MS } from "../limits.ts";
import { runOutbox, type Sender } from "../notify/outbox-loop.ts";
import { retryDelay } from "../notify/sender.ts";
import type { GatewayPort } from "../port.ts";
import type { Tx } from "../store/store.ts";
import { openPush, type PushKey, type TaskPush } from "./pushes.ts";

/** A state of a task that somebody wants to hear of; `id` stays through all tries of telling it. */
export interface DuePush {
  readonly id: string;
  readonly push: TaskPush;
  /** The task as its agent sees it. */
  readonly task: JsonObject;
}

/** Makes the request that tells it. It goes by the guarded way out, to the push's own address whatever it says. */
export type RenderPush = (due: DuePush) => Promise<{
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}>;

export interface PushSenderDeps {
  readonly core: Core;
  readonly port: GatewayPort;
  /** By plugin. */
  readonly render: ReadonlyMap<string, RenderPush>;
  readonly guard: Guard;
  readonly makeEgress?: ((guard: Guard) => Egress) | undefined;
  /** Names this process in leases. */
  readonly owner: string;
}

interface Claimed extends PushKey {
  readonly who: { readonly tenantId: string; readonly personId: string; readonly clientId: string };
  readonly sealed: Uint8Array;
  readonly state: TaskState;
  readonly version: number;
  readonly tries: number;
}

/**
 * Tells of a task's newest state, never of one that has passed: a receiver that was away hears where the task is now.
 * Whatever becomes of a message, the task is not touched.
 */
export function createPushSender(deps: PushSenderDeps): Sender {
  const { core, port, render, owner } = deps;
  const egress = (deps.makeEgress ?? createEgress)(deps.guard);
  const plugins = [...render.keys()];

  const deliver = async (claimed: Claimed): Promise<void> => {
    const { taskId, plugin, who, state } = claimed;
    const task = await port.task(caller(who), taskId);
    const renderIt = render.get(plugin);
    if (!task.ok || renderIt === undefined) return settle(claimed, "gave_up");
    if (task.value["state"] !== state) return settle(claimed, "moved");
    const due = { id: `${taskId}.${claimed.version}`, push: openPush(core, claimed, claimed.sealed), task: task.value };
    const { headers, body } = await renderIt(due);
    const status = await egress
      .fetch(
        new Request(due.push.url, { method: "POST", headers: headers.map(([n, v]): [string, string] => [n, v]), body }),
      )
      .then(
        (answer) => answer.status,
        () => 0,
      );
    if (status >= 200 && status < 300) return settle(claimed, "told");
    const isOver = status === 410 || claimed.tries >= NOTICE_TRIES_MAX;
    core.log.warn("push.not_sent", { plugin, tries: claimed.tries, status, given_up: isOver });
    return settle(claimed, isOver ? "gave_up" : "later");
  };

  const settle = async (claimed: Claimed, end: "told" | "gave_up" | "later" | "moved"): Promise<void> => {
    const now = core.now();
    const isSettled = end === "told" || end === "gave_up";
    await core.store.transaction(async (tx) => {
      if (isSettled && isTerminal(claimed.state)) {
        await tx
          .deleteFrom("task_push")
          .where((w) => w.and(underLease(claimed)))
          .execute();
        return;
      }
      const change = isSettled
        ? { due_at: now, tries: 0, told_state: claimed.state }
        : end === "moved"
          ? { due_at: now, tries: claimed.tries - 1 }
          : { due_at: now + retryDelay(claimed.tries) };
      await tx
        .updateTable("task_push")
        .set({ ...change, lease_owner: null, lease_until: null })
        .where((w) => w.and(underLease(claimed)))
        .execute();
    });
  };

  /** The row as long as it is under our lease: one that was put anew meanwhile stays as it is. */
  const underLease = ({ taskId, plugin, id }: Claimed) => ({
    task_id: taskId,
    plugin,
    config_id: id,
    lease_owner: owner,
  });

  return runOutbox<Claimed>(core, {
    name: "task_push",
    sendersMax: NOTICE_SENDERS_MAX,
    claim: () => core.store.transaction((tx) => claimNext(core, tx, plugins, owner)),
    deliver,
    sweep: async (now) => {
      // Made when the task was over, or while no binding of that name stood: nothing will ever be told.
      await core.store.transaction(async (tx) => {
        await tx
          .deleteFrom("task_push")
          .where("created_at", "<", now - PUSH_KEEP_MS)
          .execute();
      });
    },
    close: () => {},
  });
}

async function claimNext(core: Core, tx: Tx, plugins: readonly string[], owner: string): Promise<Claimed | undefined> {
  const now = core.now();
  const row = await tx
    .selectFrom("task_push")
    .innerJoin("task", "task.task_id", "task_push.task_id")
    .select(["task_push.task_id", "plugin", "config_id", "task_push.tenant_id", "task_push.person_id"])
    .select(["task_push.client_id", "sealed", "task_push.tries", "task.state", "task.version"])
    .whereRef("task.state", "<>", "told_state")
    .where("plugin", "in", plugins)
    .where("task_push.due_at", "<=", now)
    .where((w) => w.or([w("task_push.lease_until", "is", null), w("task_push.lease_until", "<=", now)]))
    .orderBy("task_push.due_at")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await tx
    .updateTable("task_push")
    .set({ lease_owner: owner, lease_until: now + NOTICE_LEASE_MS, tries: row.tries + 1 })
    .where("task_id", "=", row.task_id)
    .where("plugin", "=", row.plugin)
    .where("config_id", "=", row.config_id)
    .execute();
  return {
    taskId: row.task_id,
    plugin: row.plugin,
    id: row.config_id,
    who: { tenantId: row.tenant_id, personId: row.person_id, clientId: row.client_id },
    sealed: row.sealed,
    state: row.state,
    version: row.version,
    tries: row.tries + 1,
  };
}

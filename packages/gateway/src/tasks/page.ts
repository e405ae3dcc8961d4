import type { TaskState } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import type { Caller } from "../admission/caller.ts";
import type { Db } from "../store/store.ts";
import type { TaskRow } from "./tasks.ts";

/** `verifying` is `executing` while the site waits for the account holder (MFA-6); here the two are apart. */
export type QueriedState = TaskState | "verifying";

/** Which of an agent's own tasks; what is not said is not asked. */
export interface TaskQuery {
  readonly states?: readonly QueriedState[];
  readonly requestId?: string;
  /** Moved at or after this moment. */
  readonly movedSince?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface TaskRows {
  readonly rows: readonly TaskRow[];
  /** Absent on the last page. */
  readonly next?: string;
  /** How many there are on all pages. */
  readonly total: number;
}

/** A page of an agent's own tasks, the latest moved first; one that moves between two pages may be met twice. */
export async function pageOfTasks(db: Db, who: Caller, query: TaskQuery): Promise<Result<TaskRows, "bad_cursor">> {
  const from = query.cursor === undefined ? undefined : readCursor(query.cursor);
  if (query.cursor !== undefined && from === undefined) return err("bad_cursor");
  if (query.states?.length === 0) return ok({ rows: [], total: 0 });
  let found = db
    .selectFrom("task")
    .where("tenant_id", "=", who.tenantId)
    .where("person_id", "=", who.personId)
    .where("client_id", "=", who.clientId);
  if (query.states !== undefined) {
    const { states } = query;
    const plain = states.filter((state) => state !== "executing" && state !== "verifying");
    found = found.where((w) =>
      w.or([
        ...(plain.length === 0 ? [] : [w("state", "in", plain)]),
        ...(states.includes("executing")
          ? [w.and([w("state", "=", "executing"), w("continuation_ref", "is", null)])]
          : []),
        ...(states.includes("verifying")
          ? [w.and([w("state", "=", "executing"), w("continuation_ref", "is not", null)])]
          : []),
      ]),
    );
  }
  if (query.requestId !== undefined) found = found.where("request_id", "=", query.requestId);
  if (query.movedSince !== undefined) found = found.where("updated_at", ">=", query.movedSince);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  let page = found.selectAll();
  if (from !== undefined)
    page = page.where((w) =>
      w.or([
        w("updated_at", "<", from.movedAt),
        w.and([w("updated_at", "=", from.movedAt), w("task_id", "<", from.taskId)]),
      ]),
    );
  const rows = await page
    .orderBy("updated_at", "desc")
    .orderBy("task_id", "desc")
    .limit(query.limit + 1)
    .execute();
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return ok({
    rows: shown,
    total: Number(total),
    ...(rows.length > query.limit && last !== undefined ? { next: cursorAfter(last) } : {}),
  });
}

function cursorAfter(row: TaskRow): string {
  return Buffer.from(JSON.stringify([row.updated_at, row.task_id])).toString("base64url");
}

function readCursor(text: string): { readonly movedAt: number; readonly taskId: string } | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(read) || read.length !== 2) return undefined;
    const [movedAt, taskId]: readonly unknown[] = read;
    return typeof movedAt === "number" && Number.isSafeInteger(movedAt) && typeof taskId === "string"
      ? { movedAt, taskId }
      : undefined;
  } catch {
    return undefined;
  }
}

import { type RouteKind, SiteTrouble } from "@countersign/plugin";
import type { Reason } from "@countersign/profile";
import { err, type JsonObject, ok, type Result, type Secret } from "@countersign/wire";
import { insertReceipt } from "../evidence/leaves.ts";
import { RESULT_LIFE_MS } from "../limits.ts";
import { sealText } from "../vault/seal.ts";
import { tellsSecret } from "./telling.ts";
import { adapterFor, advance, askSignIn, openSession, readAdapter, saveSession, stop, type Work } from "./work.ts";

type Found =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "sign_in" }
  | { readonly kind: "failed"; readonly reason: Reason };

/**
 * A read: no record and no approval; its data is the task's result for a while, and in no receipt (REQ-10). The site is
 * asked while the task's way to `executing` is still being stored: a read that is cut off is made again, so nothing
 * hangs on the order.
 *
 * @param begun the same work once the task is stored as executing.
 */
export async function runRead(work: Work, route: RouteKind, begun: Promise<Work>): Promise<void> {
  const [stored, asked] = await Promise.allSettled([begun, askSite(work, route)]);
  if (stored.status === "rejected") throw stored.reason;
  if (asked.status === "rejected") throw asked.reason;
  const [next, found] = [stored.value, asked.value];
  if (found.kind === "sign_in") return askSignIn(next, route);
  if (found.kind === "failed") return void (await stop(next, { type: "failed", reason: found.reason }));
  return finishRead(next, found.result);
}

async function askSite(work: Work, route: RouteKind): Promise<Found> {
  const adapter = readAdapter(adapterFor(work, route));
  if (adapter === undefined) return { kind: "failed", reason: "site_gap" };
  const opened = await openSession(work, route);
  if (!opened.ok) {
    if (opened.reason === "sign_in") return { kind: "sign_in" };
    throw new SiteTrouble("the site is unavailable");
  }
  const { ctx, open, session } = opened.value;
  try {
    const answer = await adapter.read(ctx, session, work.parameters);
    if (answer.kind === "sign_in") return { kind: "sign_in" };
    if (answer.kind === "gap") return { kind: "failed", reason: "site_gap" };
    const result = passable(work, answer.result, await open.secrets());
    if (!result.ok) return { kind: "failed", reason: result.reason };
    await saveSession(work, route, open);
    return { kind: "result", result: result.value };
  } finally {
    await open.close();
  }
}

/** Only what the result schema names passes, and nothing that holds one of the session's own secrets (AUT-4). */
export function passable(
  work: Pick<Work, "operation">,
  found: unknown,
  secrets: readonly Secret<string>[],
): Result<JsonObject, Reason> {
  const parsed = work.operation.result.safeParse(found);
  if (!parsed.success) return err("result_withheld");
  return tellsSecret(parsed.data, secrets) ? err("result_withheld") : ok(parsed.data);
}

async function finishRead(work: Work, result: JsonObject): Promise<void> {
  const sealed = sealText(work.core.sealer, `result:${work.task.task_id}`, JSON.stringify(result));
  await advance(
    work,
    { type: "read_done" },
    { due_at: null, result: sealed, result_expires_at: work.core.now() + RESULT_LIFE_MS },
    (tx, task) => insertReceipt(work.core, tx, task),
  );
}

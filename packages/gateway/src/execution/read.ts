import { type RouteKind, SiteTrouble } from "@countersign/plugin";
import type { Reason } from "@countersign/profile";
import { err, type JsonObject, ok, type Result, type Secret } from "@countersign/wire";
import { insertReceipt } from "../evidence/leaves.ts";
import { READ_SHOWN_MS, RESULT_LIFE_MS } from "../limits.ts";
import { sealText } from "../vault/seal.ts";
import { begin, beginIn } from "./begin.ts";
import { tellsSecret } from "./telling.ts";
import { hasCome, keepWatching, watchOf } from "./watch.ts";
import { adapterFor, advanceIn, askSignIn, openSession, readAdapter, saveSession, stop, type Work } from "./work.ts";

type Found =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "sign_in" }
  | { readonly kind: "failed"; readonly reason: Reason };

/**
 * A read: no record and no approval; its data is the task's result for a while, and in no receipt (REQ-10). The task's
 * way to `executing` is stored with what came of the read, or by itself once the site takes its time: a read that is cut
 * off is made again, so nothing hangs on which comes first.
 */
export async function runRead(work: Work, route: RouteKind): Promise<void> {
  let begun: Promise<Work> | undefined;
  const beginNow = (): Promise<Work> => {
    begun ??= begin(work);
    return begun;
  };
  // What goes wrong there is heard of below.
  const timer = setTimeout(() => void beginNow().catch(() => {}), READ_SHOWN_MS);
  const found = await askSite(work, route)
    .finally(() => clearTimeout(timer))
    .catch(async (error: unknown) => {
      await beginNow();
      throw error;
    });
  if (found.kind === "result") {
    const sofar = begun === undefined ? work : await begun;
    const watch = watchOf(work);
    if (watch !== undefined && !hasCome(watch, found.result, work.core.now()))
      return keepWatching(sofar, watch, found.result);
    return finish(sofar, found.result);
  }
  const next = await beginNow();
  if (found.kind === "sign_in") return askSignIn(next, route);
  return void (await stop(next, { type: "failed", reason: found.reason }));
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

/** Stores a read's result, and with it that it is done. */
export async function finish(work: Work, result: JsonObject): Promise<void> {
  const { core, task: claimed } = work;
  const sealed = sealText(core.sealer, `result:${claimed.task_id}`, JSON.stringify(result));
  const changes = { due_at: null, result: sealed, result_expires_at: core.now() + RESULT_LIFE_MS };
  const notes = work.progress.take();
  await core.store.transaction(async (tx) => {
    const task = await beginIn(tx, work, "executing");
    await advanceIn(tx, { ...work, task }, { type: "read_done" }, { notes, changes }, (_tx, moved) =>
      insertReceipt(core, tx, moved),
    );
  });
}

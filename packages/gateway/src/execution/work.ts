import type {
  AnyAdapter,
  CommitAdapter,
  Ctx,
  KeptMaterial,
  OpenSession,
  ReadAdapter,
  RouteKind,
  Session,
  VaultRef,
} from "@countersign/plugin";
import type { Operation, Reason } from "@countersign/profile";
import { assert, err, isJsonObject, type JsonObject, ok, type Result, type Secret } from "@countersign/wire";
import { supersede } from "../approval/freeze.ts";
import { type AccountRow, findConnection, loseConnection, spoilConnection } from "../connection/accounts.ts";
import { openContinuation } from "../connection/continuations.ts";
import { type Allowed, checkGrant } from "../consent/check.ts";
import type { ConsentRow } from "../consent/consents.ts";
import type { Core, KnownDestination } from "../core.ts";
import { insertReceipt, type ReceiptExtras } from "../evidence/leaves.ts";
import { PROGRESS_WAIT_MS, RETRY_FIRST_MS } from "../limits.ts";
import type { MachineEvent } from "../machine/step.ts";
import { taskCtx } from "../plugin-ctx.ts";
import type { Db, Tx } from "../store/store.ts";
import { createProgress, type Note, type Progress, UNTOLD_PROGRESS, writeNotes } from "../tasks/progress.ts";
import { type Changes, moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";

/** One piece of work: a claimed task with everything that is read before it is judged. */
export interface Work {
  readonly core: Core;
  readonly task: TaskRow;
  readonly operation: Operation;
  readonly parameters: JsonObject;
  readonly account: AccountRow;
  readonly destination: KnownDestination;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** What can be said of a claimed task in whatever build. */
export type Claimed = Pick<Work, "core" | "task">;

/** Undefined when the operation does not, or does no longer, take such parameters. */
function loadParameters(operation: Operation, task: TaskRow): JsonObject | undefined {
  const request: unknown = JSON.parse(task.request);
  assert(isRequest(request), "a stored request is an object with parameters");
  return operation.parameters.safeParse(request.parameters).data;
}

/** A task with everything that is read before it is judged; undefined when this build does not know it (see gone.ts). */
export async function loadWork(core: Core, task: TaskRow, signal: AbortSignal): Promise<Work | undefined> {
  const operation = core.catalogue.get(task.operation);
  const account = await core.store.db
    .selectFrom("account")
    .selectAll()
    .where("account_ref", "=", task.account_ref)
    .executeTakeFirst();
  const destination = account === undefined ? undefined : core.destinations.get(account.destination);
  if (operation === undefined || account === undefined || destination === undefined) return undefined;
  const parameters = loadParameters(operation, task);
  if (parameters === undefined) return undefined;
  // What is done at every look is told of the first one: a watch of weeks would fill the store with it.
  const progress =
    task.watch_looked_at === null ? createProgress(core, task.task_id, PROGRESS_WAIT_MS) : UNTOLD_PROGRESS;
  return { core, task, operation, parameters, account, destination, signal, progress };
}

function isRequest(value: unknown): value is { readonly parameters: JsonObject } {
  return (
    typeof value === "object" && value !== null && "parameters" in value && isJsonObject(value.parameters as JsonObject)
  );
}

export async function readConsent(db: Db, task: TaskRow): Promise<ConsentRow | undefined> {
  return db.selectFrom("consent").selectAll().where("consent_ref", "=", task.consent_ref).executeTakeFirst();
}

/** The grant as it stands now; also asked inside the boundary transaction. */
export async function grantNow(
  db: Db,
  work: Pick<Work, "core" | "task" | "operation">,
): Promise<Result<Allowed, Reason>> {
  const consent = await readConsent(db, work.task);
  return checkGrant(consent, { accountRef: work.task.account_ref, operation: work.operation }, work.core.now());
}

/**
 * The route to take (MAP-5): of those that the grant allows and that offer the operation, the connected ones by turns, one
 * at each try, so that what is out of order makes way for the next; and with none connected the first. It is chosen before
 * there are terms: a record that is frozen has its own.
 */
export async function chooseRoute(work: Work, allowed: Allowed): Promise<Result<RouteKind, Reason>> {
  const offering = [...work.destination.byRoute.entries()]
    .filter(([, destination]) => destination.entry.operations.some((o) => o.operation === work.operation.id))
    .map(([kind]) => kind);
  const usable = allowed.routes.filter((route): route is RouteKind => offering.some((kind) => kind === route));
  const [first] = usable;
  if (first === undefined) return err(offering.length === 0 ? "capability_gap" : "route_not_granted");
  const connected: RouteKind[] = [];
  for (const route of usable) {
    const connection = await findConnection(work.core.store.db, work.account.account_ref, route);
    if (connection?.state === "connected") connected.push(route);
  }
  const failed = work.task.tries + work.task.watch_troubles;
  return ok(connected[failed % Math.max(connected.length, 1)] ?? first);
}

export function adapterFor(work: Work, route: RouteKind): AnyAdapter | undefined {
  const operations: readonly AnyAdapter<never>[] = work.destination.byRoute.get(route)?.entry.operations ?? [];
  // A session is only ever given to adapters of the route that opened it; the registry keeps them together.
  return operations.find((o) => o.operation === work.operation.id) as AnyAdapter | undefined;
}

export function commitAdapter(adapter: AnyAdapter | undefined): CommitAdapter<JsonObject> | undefined {
  return adapter?.effect === "commit" ? (adapter as CommitAdapter<JsonObject>) : undefined;
}

export function readAdapter(adapter: AnyAdapter | undefined): ReadAdapter<JsonObject> | undefined {
  return adapter?.effect === "read" ? (adapter as ReadAdapter<JsonObject>) : undefined;
}

export interface Opened {
  readonly ctx: Ctx;
  readonly open: OpenSession;
  readonly session: Session;
}

const SIGNED_OUT = "the site asked for a sign-in";
const NEVER_SIGNED_IN = "nobody has signed in here yet";
const UNREADABLE = "the kept session cannot be read";

/** Opens the account's session on a route. `sign_in`: the person is needed. */
export async function openSession(
  work: Work,
  route: RouteKind,
): Promise<Result<Opened, "sign_in" | "site_unavailable">> {
  const { core, account, task } = work;
  const connection = await findConnection(core.store.db, account.account_ref, route);
  const destination = work.destination.byRoute.get(route);
  const opener = core.routes.get(route);
  if (connection?.state !== "connected" || connection.material_ref === null) return err("sign_in");
  if (destination === undefined || opener === undefined) return err("site_unavailable");
  const ref = connection.material_ref as VaultRef;
  const material = await core.vault.get(core.store.db, account.tenant_id, ref).catch(() => err("unreadable" as const));
  if (!material.ok) {
    await core.store.transaction((tx) => spoilConnection(core, tx, account, route, UNREADABLE));
    return err("sign_in");
  }
  const ctx = taskCtx(core, {
    plugin: destination.id,
    tenantId: task.tenant_id,
    personId: task.person_id,
    accountRef: account.account_ref,
    taskId: task.task_id,
    signal: work.signal,
    progress: work.progress.note,
  });
  const open = await opener.open(ctx, destination, material.value, keptMaterial(work, route));
  if (!open.ok) return open;
  const closing = closedByAbort(work, open.value);
  // The step was given up while the site was opened.
  if (work.signal.aborted) {
    await closing.close().catch(() => core.log.warn("session.close_failed", { task: task.task_id }));
    return err("site_unavailable");
  }
  return ok({ ctx, open: closing, session: closing.session });
}

/** For routes whose tokens are renewed: a rotated one is kept before it is used, whatever becomes of the step (U48). */
function keptMaterial({ core, account }: Pick<Work, "core" | "account">, route: RouteKind): KeptMaterial {
  return {
    async read() {
      const connection = await findConnection(core.store.db, account.account_ref, route);
      if (connection?.state !== "connected" || connection.material_ref === null) return undefined;
      const found = await core.vault.get(core.store.db, account.tenant_id, connection.material_ref as VaultRef);
      return found.ok ? found.value : undefined;
    },
    write: (material) => replaceMaterial(core, account, route, material),
  };
}

async function replaceMaterial(
  core: Core,
  account: AccountRow,
  route: RouteKind,
  material: Secret<string>,
): Promise<boolean> {
  return core.store.transaction(async (tx) => {
    const connection = await findConnection(tx, account.account_ref, route);
    if (connection?.state !== "connected" || connection.material_ref === null) return false;
    await core.vault.replace(tx, account.tenant_id, connection.material_ref as VaultRef, material);
    return true;
  });
}

/** A step that is given up loses its session, whatever its adapter makes of the signal. */
function closedByAbort(work: Work, open: OpenSession): OpenSession {
  const { view } = open;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    work.signal.removeEventListener("abort", onAbort);
    closed ??= open.close();
    return closed;
  };
  const onAbort = (): void =>
    void close().catch(() => work.core.log.warn("session.close_failed", { task: work.task.task_id }));
  work.signal.addEventListener("abort", onAbort, { once: true });
  return {
    session: open.session,
    secrets: () => open.secrets(),
    material: () => open.material(),
    ...(view === undefined ? {} : { view: () => view.call(open) }),
    close,
  };
}

/**
 * Keeps what the site changed in the session, so that the next task starts from it (U45). Most steps change nothing,
 * and then nothing is written: a write is a durable commit.
 */
export async function saveSession(work: Work, route: RouteKind, open: OpenSession): Promise<void> {
  const material = await open.material().catch(() => undefined);
  if (material === undefined) return;
  const kept = await keptMaterial(work, route).read();
  if (kept?.reveal() === material.reveal()) return;
  await replaceMaterial(work.core, work.account, route, material);
}

interface Along {
  readonly notes: readonly Note[];
  readonly changes: Changes;
}

/** Moves the claimed task on, unless somebody else moved it meanwhile. */
export async function advance(
  work: Work,
  event: MachineEvent,
  changes: Changes = {},
  also: (tx: Tx, task: TaskRow) => Promise<void> = async () => {},
): Promise<boolean> {
  const along = { notes: work.progress.take(), changes };
  return work.core.store.transaction((tx) => advanceIn(tx, work, event, along, also));
}

/** The same inside a transaction that stores more; notes are taken before it, for it may run again. */
export async function advanceIn(
  tx: Tx,
  work: Work,
  event: MachineEvent,
  along: Along,
  also: (tx: Tx, task: TaskRow) => Promise<void>,
): Promise<boolean> {
  const { core, task, operation } = work;
  const now = await readTask(tx, task.task_id);
  if (now.version !== task.version || now.fence !== task.fence) return false;
  await writeNotes(tx, now, along.notes);
  const moved = await moveTask(tx, now, operation.effect, event, core.now(), along.changes);
  if (!moved.ok) return false;
  await also(tx, moved.value);
  return true;
}

/** Stops the task for good, with its receipt. */
export async function stop(work: Work, event: MachineEvent, extras: ReceiptExtras = {}): Promise<boolean> {
  return advance(work, event, { due_at: null }, async (tx, task) => {
    if (task.submitted === 0) await supersede(tx, task.task_id, event.type === "expired" ? "expired" : "stopped");
    await insertReceipt(work.core, tx, task, extras);
  });
}

/** The sign-in is asked for to read back, and the task's state stays what it is. */
function readsBack(task: TaskRow): boolean {
  return task.submitted === 1 || task.suspect === 1;
}

/** Nothing commits while a restored store is being read back (STA-8); the task looks again a little later. */
export async function waitForReadBack(work: Work): Promise<void> {
  const { core, task } = work;
  await core.store.db
    .updateTable("task")
    .set({ due_at: core.now() + RETRY_FIRST_MS })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .execute();
}

/**
 * The site wants the person: the connection is marked, and the hand-off is opened with the state change (MFA-1). An
 * account that the person has disconnected is left alone: what would still act there is stopped (U42), and only a
 * submission that has to be read back asks them to sign in once more.
 */
export async function askSignIn(work: Work, route: RouteKind): Promise<void> {
  const { core, task, account } = work;
  await core.store.transaction(async (tx) => {
    const now = await readTask(tx, task.task_id);
    if (now.version !== task.version || now.fence !== task.fence) return;
    const connection = await findConnection(tx, account.account_ref, route);
    if (connection?.state === "disconnected" && !readsBack(now)) {
      const stopped = { type: "denied", reason: "account_disconnected" } as const;
      const moved = await moveTask(tx, now, work.operation.effect, stopped, core.now(), { due_at: null });
      assert(moved.ok, "a task that needs a session can still be stopped");
      await supersede(tx, task.task_id, "superseded");
      return insertReceipt(core, tx, moved.value);
    }
    // A reason that is known already is the better one.
    if (connection === undefined || connection.state === "connected") {
      const why = connection === undefined ? NEVER_SIGNED_IN : SIGNED_OUT;
      await loseConnection(core, tx, account, route, "reauthentication_required", why);
    }
    const continuation = await openContinuation(core, tx, {
      tenantId: task.tenant_id,
      personId: task.person_id,
      accountRef: account.account_ref,
      route,
      kind: "task",
      taskId: task.task_id,
      ...(readsBack(now) ? {} : { latest: now.request_expires_at }),
    });
    if (readsBack(now)) {
      await tx
        .updateTable("task")
        .set({ continuation_ref: continuation.continuation_ref })
        .where("task_id", "=", task.task_id)
        .execute();
      return;
    }
    await moveTask(tx, now, work.operation.effect, { type: "sign_in_needed" }, core.now(), {
      continuation_ref: continuation.continuation_ref,
      due_at: continuation.expires_at,
    });
  });
}

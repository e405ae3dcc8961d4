import type { FormAnswer, FormSignIn, LiveSignIn, RouteKind, Verified } from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import { taskCtx } from "../plugin-ctx.ts";
import { wakeAfterSignIn } from "../tasks/wake.ts";
import { type AccountRow, connect, findAccount } from "./accounts.ts";
import {
  beginContinuation,
  type ContinuationProblem,
  type ContinuationRow,
  completeContinuation,
  findContinuation,
} from "./continuations.ts";

/** The sign-ins that this process holds. One is lost with the process: the person simply begins again (design, spine 3). */
export interface HandOffs {
  begin(owner: Owner, ref: string, sessionHash: string): Promise<Result<ActiveSignIn, HandOffProblem>>;
  /** The running sign-in, for the browser session that began it only. */
  active(ref: string, sessionHash: string): ActiveSignIn | undefined;
  submitForm(
    owner: Owner,
    ref: string,
    sessionHash: string,
    values: ReadonlyMap<string, Secret<string>>,
  ): Promise<Result<FormAnswer, HandOffProblem>>;
  complete(owner: Owner, ref: string, sessionHash: string): Promise<Result<Completion, HandOffProblem>>;
  closeAll(): Promise<void>;
}

export type ActiveSignIn = LiveSignIn | FormSignIn;
export type HandOffProblem = ContinuationProblem | "site_unavailable" | "busy" | "not_signed_in";
export interface Completion {
  readonly accountName: string;
  readonly accountRef: string;
}

interface Entry {
  readonly signIn: ActiveSignIn;
  readonly sessionHash: string;
  readonly abort: AbortController;
}

export function createHandOffs(core: Core): HandOffs {
  const entries = new Map<string, Entry>();

  const active = (ref: string, sessionHash: string): Entry | undefined => {
    const entry = entries.get(ref);
    return entry?.sessionHash === sessionHash ? entry : undefined;
  };
  const drop = async (ref: string): Promise<void> => {
    const entry = entries.get(ref);
    entries.delete(ref);
    entry?.abort.abort();
    await entry?.signIn.close().catch(() => core.log.warn("handoff.close_failed"));
  };

  const finish = async (
    row: ContinuationRow,
    sessionHash: string,
    verified: Verified,
  ): Promise<Result<Completion, HandOffProblem>> => {
    const done = await core.store.transaction(async (tx): Promise<Result<AccountRow, HandOffProblem>> => {
      const account = await findAccount(tx, { tenantId: row.tenant_id, personId: row.person_id }, row.account_ref);
      if (account === undefined) return err("not_found");
      if (!(await completeContinuation(core, tx, row, sessionHash))) return err("gone");
      await connect(core, tx, account, row.route as RouteKind, verified);
      await wakeAfterSignIn(core, tx, account.account_ref);
      return ok(account);
    });
    await drop(row.continuation_ref);
    if (!done.ok) return done;
    core.poke();
    return ok({ accountName: verified.identity.name, accountRef: done.value.account_ref });
  };

  return {
    async begin(owner, ref, sessionHash) {
      const begun = await core.store.transaction((tx) => beginContinuation(core, tx, owner, ref, sessionHash));
      if (!begun.ok) return begun;
      const running = active(ref, sessionHash);
      if (running !== undefined) return ok(running.signIn);
      const row = begun.value;
      const account = await findAccount(core.store.db, owner, row.account_ref);
      const destination = account && core.destinations.get(account.destination)?.byRoute.get(row.route as RouteKind);
      const route = core.routes.get(row.route as RouteKind);
      if (destination === undefined || route === undefined) return err("site_unavailable");
      const abort = new AbortController();
      const ctx = taskCtx(core, {
        plugin: destination.id,
        tenantId: owner.tenantId,
        personId: owner.personId,
        accountRef: row.account_ref,
        signal: abort.signal,
        progress: () => {},
      });
      const signIn = await route.beginSignIn(ctx, destination);
      if (!signIn.ok) return signIn;
      await drop(ref);
      entries.set(ref, { signIn: signIn.value, sessionHash, abort });
      core.log.info("handoff.begun", { route: row.route, destination: destination.id });
      return ok(signIn.value);
    },

    active: (ref, sessionHash) => active(ref, sessionHash)?.signIn,

    async submitForm(owner, ref, sessionHash, values) {
      const row = await findContinuation(core.store.db, owner, ref);
      const entry = active(ref, sessionHash);
      if (row === undefined || entry === undefined) return err("not_found");
      if (core.now() >= row.expires_at || entry.signIn.mode !== "form") return err("gone");
      const answer = await entry.signIn.submit(values);
      if (answer.kind !== "done") return ok(answer);
      const finished = await finish(row, sessionHash, answer.verified);
      return finished.ok ? ok(answer) : finished;
    },

    async complete(owner, ref, sessionHash) {
      const row = await findContinuation(core.store.db, owner, ref);
      if (row === undefined) return err("not_found");
      const entry = active(ref, sessionHash);
      if (entry === undefined || entry.signIn.mode !== "live" || core.now() >= row.expires_at) return err("gone");
      const verified = await entry.signIn.verify();
      return verified.ok ? finish(row, sessionHash, verified.value) : verified;
    },

    async closeAll() {
      await Promise.all([...entries.keys()].map(drop));
    },
  };
}

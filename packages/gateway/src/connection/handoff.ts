import { timingSafeEqual } from "node:crypto";
import type {
  FormField,
  FormSignIn,
  LiveSignIn,
  LiveView,
  RedirectSignIn,
  RouteKind,
  TryKind,
  Verified,
} from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import {
  lookAtVerification,
  sendVerification,
  type VerificationStep,
  verificationFields,
} from "../execution/verify.ts";
import { newToken } from "../ids.ts";
import { taskCtx } from "../plugin-ctx.ts";
import { wakeAfterSignIn } from "../tasks/wake.ts";
import { type AccountRow, connect, findAccount, isOtherAccount } from "./accounts.ts";
import {
  beginContinuation,
  type ContinuationProblem,
  type ContinuationRow,
  completeContinuation,
  continueIn,
} from "./continuations.ts";
import { forgetTries, readFewestTries, type TriesLeft, takeTry, triesOf } from "./sign-in-tries.ts";

/** Where another site sends the person's browser back to: a page of the console, which posts what came (U38). */
export const RETURN_PATH = "/returned";

/** What the person is shown: the site's own page, a form that goes to its API, or where they go in their own browser. */
export type ActiveHandOff =
  | { readonly mode: "live"; readonly view: LiveView }
  | { readonly mode: "form"; readonly fields: readonly FormField[] }
  | { readonly mode: "redirect"; readonly url: string };

export type HandOffStep =
  | { readonly kind: "more"; readonly fields: readonly FormField[]; readonly message?: string }
  | { readonly kind: "refused"; readonly message: string }
  /** One try more could lock the account at the site: nothing was sent. `until`: RFC 3339. */
  | { readonly kind: "tries_spent"; readonly until: string }
  | { readonly kind: "connected"; readonly accountName: string; readonly accountRef: string }
  /** Another account at the site than this one stands for: nothing is attached (U44). */
  | { readonly kind: "other_account"; readonly found: string; readonly expected: string }
  | VerificationStep;

export type HandOffProblem = ContinuationProblem | "site_unavailable" | "busy" | "not_signed_in";

/**
 * The hand-offs. A sign-in is held by this process and lost with it: the person simply begins again (design, spine 3).
 * A verification by form has all that it needs in its row; one in a page ends with the process that keeps the page.
 */
export interface HandOffs {
  begin(owner: Owner, ref: string, sessionHash: string): Promise<Result<ActiveHandOff, HandOffProblem>>;
  /** The running hand-off, for the browser session that began it only, and not once it is completed or has run out. */
  active(row: ContinuationRow, sessionHash: string): ActiveHandOff | undefined;
  submitForm(
    owner: Owner,
    ref: string,
    sessionHash: string,
    values: ReadonlyMap<string, Secret<string>>,
  ): Promise<Result<HandOffStep, HandOffProblem>>;
  complete(owner: Owner, ref: string, sessionHash: string): Promise<Result<HandOffStep, HandOffProblem>>;
  /** What the browser came back with from another site; taken once, and from the session that went there alone. */
  returned(
    owner: Owner,
    ref: string,
    sessionHash: string,
    answer: URLSearchParams,
  ): Promise<Result<HandOffStep, HandOffProblem>>;
  /** How many passwords or codes may still be tried at the destination; undefined where none is asked for. */
  tries(owner: Owner, row: ContinuationRow): Promise<TriesLeft | undefined>;
  /** Ends the sign-ins that a session began and that nobody can finish any more. */
  endSession(sessionHash: string): Promise<void>;
  /** Calls `listener` whenever another browser session tries to go on with this hand-off (U39). */
  onTriedElsewhere(ref: string, listener: () => void): () => void;
  closeAll(): Promise<void>;
}

interface Entry {
  readonly signIn: LiveSignIn | FormSignIn | RedirectSignIn;
  /** What another site has to bring back; empty once it has. */
  state: string;
  readonly sessionHash: string;
  readonly abort: AbortController;
  readonly expire: NodeJS.Timeout;
  readonly account: AccountRow;
  /** The fields so far whose values a site counts. */
  readonly counted: Map<string, TryKind>;
}

export function createHandOffs(core: Core): HandOffs {
  const entries = new Map<string, Entry>();
  const listeners = new Map<string, Set<() => void>>();
  const ending = new AbortController();

  const entryOf = (ref: string, sessionHash: string): Entry | undefined => {
    const entry = entries.get(ref);
    return entry?.sessionHash === sessionHash ? entry : undefined;
  };
  const drop = async (ref: string): Promise<void> => {
    const entry = entries.get(ref);
    entries.delete(ref);
    clearTimeout(entry?.expire);
    entry?.abort.abort();
    await entry?.signIn.close().catch(() => core.log.warn("handoff.close_failed"));
  };
  const tell = <T>(ref: string, answer: Result<T, ContinuationProblem>): Result<T, ContinuationProblem> => {
    if (!answer.ok && answer.reason === "elsewhere") for (const listener of listeners.get(ref) ?? []) listener();
    return answer;
  };
  const goOn = async (owner: Owner, ref: string, sessionHash: string) =>
    tell(ref, await core.store.transaction((tx) => continueIn(core, tx, owner, ref, sessionHash)));

  /** Attaches the sign-in: everything that it hangs on is judged again in the transaction that spends it (MFA-3). */
  const finish = async (
    owner: Owner,
    ref: string,
    sessionHash: string,
    verified: Verified,
  ): Promise<Result<HandOffStep, HandOffProblem>> => {
    const { name } = verified.identity;
    const done = await core.store.transaction(async (tx): Promise<Result<HandOffStep, HandOffProblem>> => {
      const row = await continueIn(core, tx, owner, ref, sessionHash);
      if (!row.ok) return row;
      const account = await findAccount(tx, owner, row.value.account_ref);
      if (account === undefined) return err("not_found");
      if (isOtherAccount(account, verified.identity))
        return ok({ kind: "other_account", found: name, expected: account.name });
      if (!(await completeContinuation(core, tx, row.value, sessionHash))) return err("gone");
      await connect(core, tx, account, row.value.route as RouteKind, verified);
      await forgetTries(tx, account.account_ref);
      await wakeAfterSignIn(core, tx, account.account_ref);
      return ok({ kind: "connected", accountName: name, accountRef: account.account_ref });
    });
    if (done.ok && done.value.kind === "other_account") core.log.warn("handoff.other_account");
    else await drop(ref);
    if (done.ok) core.poke();
    return done;
  };

  const beginSignIn = async (
    owner: Owner,
    row: ContinuationRow,
    sessionHash: string,
  ): Promise<Result<ActiveHandOff, HandOffProblem>> => {
    const ref = row.continuation_ref;
    const running = entryOf(ref, sessionHash);
    if (running !== undefined) return ok(running.signIn);
    const account = await findAccount(core.store.db, owner, row.account_ref);
    const destination = account && core.destinations.get(account.destination)?.byRoute.get(row.route as RouteKind);
    const route = core.routes.get(row.route as RouteKind);
    if (account === undefined || destination === undefined || route === undefined) return err("site_unavailable");
    const abort = new AbortController();
    const ctx = taskCtx(core, {
      plugin: destination.id,
      tenantId: owner.tenantId,
      personId: owner.personId,
      accountRef: row.account_ref,
      signal: abort.signal,
      progress: () => {},
    });
    // It names the hand-off, so that the page that is come back to knows which; the random part is what counts.
    const state = `${ref}.${newToken()}`;
    const back = { url: `${core.issuer}${RETURN_PATH}`, state };
    const signIn = await route.beginSignIn(ctx, destination, triesOf(core, owner, account), back);
    if (!signIn.ok) return signIn;
    await drop(ref);
    const leftMs = Math.max(0, row.expires_at - core.now());
    const expire = setTimeout(() => void drop(ref), leftMs).unref();
    const counted = new Map(signIn.value.mode === "form" ? countedFields(signIn.value.fields) : []);
    entries.set(ref, { signIn: signIn.value, state, sessionHash, abort, expire, account, counted });
    core.log.info("handoff.begun", { route: row.route, destination: destination.id });
    return ok(signIn.value);
  };

  const beginVerification = async (row: ContinuationRow): Promise<Result<ActiveHandOff, HandOffProblem>> => {
    const fields = await verificationFields(core, row);
    if (fields !== undefined) return ok({ mode: "form", fields });
    const page = core.pages.get(row.continuation_ref);
    return page === undefined ? err("gone") : ok({ mode: "live", view: page.view });
  };

  return {
    async begin(owner, ref, sessionHash) {
      const begun = tell(
        ref,
        await core.store.transaction((tx) => beginContinuation(core, tx, owner, ref, sessionHash)),
      );
      if (!begun.ok) return begun;
      return begun.value.kind === "verification"
        ? beginVerification(begun.value)
        : beginSignIn(owner, begun.value, sessionHash);
    },

    active(row, sessionHash) {
      // What it was for is settled or over, wherever that was decided: what this process still keeps of it serves nobody.
      if (row.completed_at !== null || core.now() >= row.expires_at) return undefined;
      if (row.kind !== "verification") return entryOf(row.continuation_ref, sessionHash)?.signIn;
      const page = row.session_hash === sessionHash ? core.pages.get(row.continuation_ref) : undefined;
      return page === undefined ? undefined : { mode: "live", view: page.view };
    },

    async submitForm(owner, ref, sessionHash, values) {
      const row = await goOn(owner, ref, sessionHash);
      if (!row.ok) return row;
      if (row.value.kind === "verification") return sendVerification(core, row.value, values, ending.signal);
      const entry = entryOf(ref, sessionHash);
      if (entry?.signIn.mode !== "form") return err("gone");
      for (const kind of new Set([...values.keys()].flatMap((name) => entry.counted.get(name) ?? []))) {
        const may = await takeTry(core, owner, entry.account, kind);
        if (may.kind === "spent") return ok({ kind: "tries_spent", until: may.until });
      }
      const answer = await entry.signIn.submit(values);
      if (answer.kind === "more")
        for (const [name, kind] of countedFields(answer.fields)) entry.counted.set(name, kind);
      if (answer.kind !== "done") return ok(answer);
      const finished = await finish(owner, ref, sessionHash, answer.verified);
      // The form is at its end with the wrong account: the next beginning starts it afresh.
      if (finished.ok && finished.value.kind === "other_account") await drop(ref);
      return finished;
    },

    async complete(owner, ref, sessionHash) {
      const row = await goOn(owner, ref, sessionHash);
      if (!row.ok) return row;
      if (row.value.kind === "verification") return lookAtVerification(core, row.value, ending.signal);
      const entry = entryOf(ref, sessionHash);
      if (entry?.signIn.mode !== "live") return err("gone");
      const verified = await entry.signIn.verify();
      return verified.ok ? finish(owner, ref, sessionHash, verified.value) : verified;
    },

    async returned(owner, ref, sessionHash, answer) {
      const row = await goOn(owner, ref, sessionHash);
      if (!row.ok) return row;
      const entry = entryOf(ref, sessionHash);
      if (entry?.signIn.mode !== "redirect" || !isSameState(entry.state, answer.get("state") ?? "")) return err("gone");
      entry.state = "";
      const came = await entry.signIn.returned(answer);
      if (came.kind === "done") {
        const finished = await finish(owner, ref, sessionHash, came.verified);
        if (finished.ok && finished.value.kind !== "other_account") return finished;
        await drop(ref);
        return finished;
      }
      // An answer is good for one exchange: the next beginning goes there afresh.
      await drop(ref);
      return ok(came);
    },

    async tries(owner, row) {
      if (row.kind === "verification" || row.completed_at !== null) return undefined;
      const account = await findAccount(core.store.db, owner, row.account_ref);
      return account && readFewestTries(core, core.store.db, { ...owner, destination: account.destination });
    },

    async endSession(sessionHash) {
      const its = [...entries].filter(([, entry]) => entry.sessionHash === sessionHash);
      await Promise.all(its.map(([ref]) => drop(ref)));
    },

    onTriedElsewhere(ref, listener) {
      const known = listeners.get(ref) ?? new Set();
      listeners.set(ref, known.add(listener));
      return () => {
        known.delete(listener);
        if (known.size === 0) listeners.delete(ref);
      };
    },

    async closeAll() {
      ending.abort();
      await Promise.all([...entries.keys()].map(drop));
      await Promise.all(core.pages.refs().map((ref) => abandonPage(core, ref)));
    },
  };
}

function isSameState(kept: string, came: string): boolean {
  const [a, b] = [Buffer.from(kept), Buffer.from(came)];
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}

/** The fields by whose values a site counts how often it was wrong. */
function countedFields(fields: readonly FormField[]): readonly (readonly [string, TryKind])[] {
  return fields.flatMap(({ name, kind }) => (kind === "password" || kind === "code" ? [[name, kind] as const] : []));
}

/** The page ends here: its task is due at once, so that its outcome is read back and not waited for. */
async function abandonPage(core: Core, ref: string): Promise<void> {
  await core.pages.close(ref);
  await core.store.as("system", () =>
    core.store.db
      .updateTable("task")
      .set({ due_at: core.now() })
      .where("continuation_ref", "=", ref)
      .where("state", "=", "executing")
      .execute(),
  );
}

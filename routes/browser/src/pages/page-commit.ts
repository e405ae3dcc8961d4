import type { CommitAdapter, Ctx, Found, Observed, RequestPattern } from "@countersign/plugin";
import {
  type Attempt,
  type Fingerprint,
  fingerprintOf,
  ownReference,
  readFingerprint,
  traceOf,
  type Wish,
  wishOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type JsonObject, ok } from "@countersign/wire";
import type { Page } from "playwright-core";
import { HOLD_MS } from "../limits.ts";
import type { BrowserSession } from "../session/session.ts";

// A commit of a site whose pages come to a last one that has an address of its own and keeps the task's reference where
// the site can. Such a site is told how its pages are gone through; what is alike in each of them is here: the prepared
// page is closed and belongs to nobody, the held one is the task's, and what is observed is that very page, opened anew.

const STATE = { v: 1 };

/** The last page before the commit, open. */
export interface LastPage<O> {
  readonly page: Page;
  readonly offer: O;
  /** The press that sends the committing request. */
  readonly press: () => Promise<void>;
  /** The origin that it goes to, where that is another of the destination's: a form in a frame. */
  readonly origin?: string;
}

/** What one commit of such a site has for itself; `C` is what finds the last page again within its session. */
export interface PageCommit<O, C extends object> {
  readonly operation: string;
  /** The first is held; the others commit as well and are never held, so that the route lets none of them out. */
  readonly commits: readonly [RequestPattern, ...RequestPattern[]];
  /** For whoever waits while the pages are gone through. */
  readonly looking: string;
  /** @param reference what the site keeps with the act; empty where nothing will come of it. */
  readonly toLast: (
    ctx: Ctx,
    session: BrowserSession,
    wish: Wish,
    reference: string,
  ) => Promise<Attempt<LastPage<O> & { readonly chosen: C }>>;
  /** The same last page on a page of its own, as the site shows it now. */
  readonly again: (ctx: Ctx, session: BrowserSession, chosen: C, wish: Wish) => Promise<Attempt<O>>;
  /** What a read-back has of it: an address or a number that lets nobody in (AUT-4). */
  readonly draftOf: (chosen: C) => string;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  readonly recognise: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession>["recognise"];
  readonly readBack: (session: BrowserSession, print: Fingerprint, record: ActionRecord) => Promise<Found<JsonObject>>;
}

/** @param onPage the site's own (`createVisits`). */
export function pageCommit<O, C extends object>(
  site: PageCommit<O, C>,
  { onPage }: { readonly onPage: <T>(session: BrowserSession, work: () => Promise<T>) => Promise<T> },
): CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> {
  const [pattern] = site.commits;
  /** What a session's held request confirms, for the observation that follows. */
  const held = new WeakMap<BrowserSession, C>();

  const looked = async (ctx: Ctx, session: BrowserSession, wish: Wish): Promise<Attempt<O>> => {
    const last = await site.toLast(ctx, session, wish, "");
    if (!last.ok) return last;
    await last.value.page.close().catch(() => {});
    return ok(last.value.offer);
  };

  return {
    effect: "commit",
    operation: site.operation,
    commits: site.commits,

    async prepare(ctx, session, params) {
      ctx.progress("check", site.looking);
      const offer = await looked(ctx, session, { params });
      if (!offer.ok) return offer.reason;
      return { kind: "ready", state: STATE, ...site.terms(session.origin, offer.value, params) };
    },

    async hold(ctx, session, record, state) {
      // Adapter state of another version is refused, not guessed (decisions.md 12).
      if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
      const last = await site.toLast(ctx, session, wishOf(record), ownReference(record));
      if (!last.ok) return last.reason;
      const { chosen, press, origin } = last.value;
      held.set(session, chosen);
      const options = { pattern, timeoutMs: HOLD_MS, ...(origin === undefined ? {} : { origin }) };
      const exchange = await onPage(session, () => session.hold(press, options));
      return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, site.draftOf(chosen)) } };
    },

    async observe(ctx, session, record) {
      const wish = wishOf(record);
      const chosen = held.get(session);
      const offer =
        chosen === undefined ? await looked(ctx, session, wish) : await site.again(ctx, session, chosen, wish);
      return offer.ok ? { kind: "done", value: site.terms(session.origin, offer.value, wish.params) } : offer.reason;
    },

    recognise: site.recognise,

    trace: (record) => traceOf(record),

    async readBack(_ctx, session, submission) {
      const print = readFingerprint(submission.fingerprint);
      return print.ok
        ? site.readBack(session, print.value, submission.record)
        : { kind: "unclear", why: "the fingerprint is of another version" };
    },
  };
}

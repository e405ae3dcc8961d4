import type { Answer, CommitAdapter, Ctx, Found, Observed, Recognised, SiteRecord } from "@countersign/plugin";
import {
  type Attempt,
  answerJson,
  type Fingerprint,
  fingerprintOf,
  gap,
  type Matched,
  matchOwn,
  type OwnActs,
  ownReference,
  readFingerprint,
  type Stop,
  traceOf,
  type Wish,
  wishOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type Json, type JsonObject, ok } from "@countersign/wire";
import { bodyOf, type Shape } from "./body.ts";
import { destinationKey } from "./destination-key.ts";
import type { HttpAnswer, HttpSession } from "./session.ts";

// A commit of a site whose API has a last screen of its own: a quote, a draft, a preview. It holds what is wished, shows
// its price of the moment whenever it is looked at, and is gone once it was used; the committing request names it, and
// what came of it carries the task's own reference. Such a site is told what differs; the five parts of the commit are
// these, once for all:
//
//   prepare    asks for a draft without a reference, for its terms alone
//   hold       asks for one that belongs to the task, and holds the request that confirms it
//   observe    looks at the held one again (or, where nothing is held, at a fresh one)
//   recognise  the site's own confirmation of this task confirms; its own refusal, in its own form, refuses
//   readBack   the list by the task's own reference; then whether the draft still stands; then the list once more,
//              for what was confirmed between the two looks (STA-3, STA-4)

const STATE = { v: 1 };

/** The site's last screen before a commit. */
export interface Draft<O> {
  readonly id: string;
  readonly offer: O;
  /** The site has its confirmation, and waits for the person (a code, a call) before it does it. */
  readonly waits?: true;
}

/** Why a draft can be confirmed no more, as far as the site tells it. `waits`: as for {@link Draft}. */
export type Gone = "used" | "expired" | "used_or_expired" | "waits";

/** How a draft is asked for. */
export interface DraftRequest<O> {
  /** Where, when that is not the path of the drafts. */
  readonly path?: string;
  readonly body: JsonObject;
  /** What the site wants with everything that changes something: a token against forgery. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Why the draft is not what was asked for, in plain words; undefined when it is.
   * @throws SiteTrouble when the site has not understood.
   */
  readonly unlike?: (offer: O) => string | undefined;
}

/** What one commit of such a site has for itself. */
export interface DraftedCommit<O, D> extends OwnActs<D> {
  readonly operation: string;
  /** Takes the committing request, a POST. */
  readonly path: string;
  /** Where drafts are asked for by POST, and each is looked at by its id. */
  readonly drafts: string;
  readonly draftShape: Shape<Draft<O>>;
  /** For whoever waits while the draft is asked for. */
  readonly looking: string;
  /** @param reference what the site keeps with the draft; empty where nothing will come of it. */
  readonly request: (
    ctx: Ctx,
    session: HttpSession,
    wish: Wish,
    reference: string,
  ) => Promise<Attempt<DraftRequest<O>>>;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  /** The body of the committing request. */
  readonly body: (draft: string, reference: string) => JsonObject;
  /** What the site answers with status 201. */
  readonly doneShape: Shape<D>;
  /**
   * What was done, as the site lists it: by the print's reference, and where the print is `alike` whatever could be it.
   * @throws SiteTrouble for a list that cannot be read whole.
   */
  readonly list: (session: HttpSession, print: Fingerprint, record: ActionRecord) => Promise<Attempt<readonly D[]>>;
  /** The code of one of the site's own refusals; undefined for everything else. */
  readonly codeOf: (json: Json | undefined) => string | undefined;
  /** By the site's code: why it will not do it, in words for whoever asked. What stands nowhere here is trouble. */
  readonly gaps: Readonly<Record<string, string>>;
  /** By the site's code. */
  readonly gone: Readonly<Record<string, Gone>>;
  /** By the site's code: the status that it comes with, and why nothing was done, for certain. */
  readonly refusals: Readonly<Record<string, readonly [status: number, why: string]>>;
  /** The kind of the merchant's record that the confirmation is; absent where it is not kept (REC-3). */
  readonly recordKind?: string;
}

export function draftedCommit<O, D>(
  site: DraftedCommit<O, D>,
): CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> {
  /** The draft that a session's held request confirms, for the observation that follows. */
  const held = new WeakMap<HttpSession, string>();

  const ask = async (
    ctx: Ctx,
    session: HttpSession,
    wish: Wish,
    reference: string,
  ): Promise<Attempt<{ readonly draft: Draft<O>; readonly headers: DraftRequest<O>["headers"] }>> => {
    const request = await site.request(ctx, session, wish, reference);
    if (!request.ok) return request;
    const { path = site.drafts, body, headers, unlike } = request.value;
    const answer = await session.fetch(path, { method: "POST", body, ...(headers === undefined ? {} : { headers }) });
    const why = named(site.gaps, refusalOf(answer, site));
    if (why !== undefined) return gap(why);
    const draft = bodyOf(answer, 201, site.draftShape);
    if (!draft.ok) return draft;
    const other = unlike?.(draft.value.offer);
    return other === undefined ? ok({ draft: draft.value, headers }) : gap(other);
  };

  const fresh = async (ctx: Ctx, session: HttpSession, wish: Wish): Promise<Attempt<Draft<O>>> => {
    const asked = await ask(ctx, session, wish, "");
    return asked.ok ? ok(asked.value.draft) : asked;
  };

  /** The draft at the price of this moment. */
  const lookAt = async (session: HttpSession, id: string): Promise<Attempt<Draft<O> | Gone>> => {
    const answer = await session.fetch(`${site.drafts}/${encodeURIComponent(id)}`);
    const code = refusalOf(answer, site);
    const gone = named(site.gone, code);
    if (gone !== undefined) return ok(gone);
    const why = named(site.gaps, code);
    if (why !== undefined) return gap(why);
    const draft = bodyOf(answer, 200, site.draftShape);
    return draft.ok && draft.value.waits === true ? ok("waits") : draft;
  };

  return {
    effect: "commit",
    operation: site.operation,
    commits: [{ method: "POST", path: site.path }],

    async prepare(ctx, session, params) {
      ctx.progress("draft", site.looking);
      const asked = await ask(ctx, session, { params }, "");
      if (!asked.ok) return asked.reason;
      return { kind: "ready", state: STATE, ...site.terms(session.origin, asked.value.draft.offer, params) };
    },

    async hold(ctx, session, record, state) {
      // Adapter state of another version is refused, not guessed (decisions.md 12).
      if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
      const reference = ownReference(record);
      // The prepared draft belongs to nobody.
      const asked = await ask(ctx, session, wishOf(record), reference);
      if (!asked.ok) return asked.reason;
      const { id } = asked.value.draft;
      held.set(session, id);
      const exchange = await session.hold(site.path, {
        method: "POST",
        body: site.body(id, reference),
        headers: { "idempotency-key": await destinationKey(record), ...asked.value.headers },
      });
      return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, id) } };
    },

    async observe(ctx, session, record) {
      const wish = wishOf(record);
      const id = held.get(session);
      const seen = id === undefined ? await fresh(ctx, session, wish) : await lookAt(session, id);
      if (!seen.ok) return seen.reason;
      if (typeof seen.value === "string") return { kind: "gap", why: "the site's last screen has run out" };
      return { kind: "done", value: site.terms(session.origin, seen.value.offer, wish.params) };
    },

    recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
      const json = answerJson(answer);
      if (answer.status === 201) {
        const done = site.doneShape.safeParse(json);
        // Something else that was done is no confirmation of this: the site is read back.
        if (!done.success || site.reference(done.data) !== ownReference(record)) return { kind: "unknown" };
        if (!site.isWanted(done.data, record)) return { kind: "unknown" };
        return { kind: "confirmed", ...site.confirmation(done.data, record), ...recordsOf(site.recordKind, answer) };
      }
      const refusal = named(site.refusals, site.codeOf(json));
      return refusal !== undefined && refusal[0] === answer.status
        ? { kind: "refused", why: refusal[1] }
        : { kind: "unknown" };
    },

    trace: (record) => traceOf(record),

    async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
      const print = readFingerprint(submission.fingerprint);
      if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
      const { draft } = print.value;
      const { record } = submission;
      const look = async (): Promise<Matched> => {
        const rows = await site.list(session, print.value, record);
        return rows.ok ? matchOwn(rows.value, print.value, record, site) : unread(rows.reason);
      };
      const first = await look();
      if (first.kind !== "none") return first;
      if (draft === undefined) return { kind: "absent" };
      // A list without it is only half of it: a draft that was confirmed is gone.
      const seen = await lookAt(session, draft);
      if (!seen.ok && seen.reason.kind === "sign_in") return seen.reason;
      if (seen.ok && typeof seen.value !== "string") return { kind: "absent" };
      // Confirmed since the list was read; or it has run out or become impossible, and nothing can come of it any more.
      const late = await look();
      if (late.kind !== "none") return late;
      if (seen.ok && seen.value === "used")
        return { kind: "unclear", why: "the site has confirmed it, and does not list it" };
      return seen.ok && seen.value === "waits"
        ? { kind: "unclear", why: "the site has it, and waits for the person" }
        : { kind: "absent" };
    },
  };
}

/** The site's code for not doing it; undefined for an answer that is no refusal. */
function refusalOf(
  answer: HttpAnswer,
  { codeOf }: { readonly codeOf: (json: Json | undefined) => string | undefined },
): string | undefined {
  return answer.kind === "answer" && answer.status >= 400 && answer.status < 500 ? codeOf(answer.json) : undefined;
}

function named<T>(table: Readonly<Record<string, T>>, code: string | undefined): T | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

function unread(reason: Stop): Found<JsonObject> {
  return reason.kind === "sign_in" ? reason : { kind: "unclear", why: reason.why };
}

/** The site's own confirmation, byte for byte: it is the merchant's record, not the gateway's (REC-3). */
function recordsOf(kind: string | undefined, { body }: Answer): { readonly records?: readonly SiteRecord[] } {
  return kind === undefined
    ? {}
    : { records: [{ kind, mediaType: "application/json", bytes: body, signatureChecked: false }] };
}

import type { CommitAdapter, Ctx, Found } from "@countersign/plugin";
import {
  type Attempt,
  type Fingerprint,
  fingerprintOf,
  type JsonObject,
  type Matched,
  matchOwn,
  type Observed,
  type OwnActs,
  ownReference,
  readFingerprint,
  SiteTrouble,
  traceOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { BrowserSession } from "@countersign/route-browser";
import { HOLD_MS } from "../shared/limits.ts";
import { parametersOf } from "../shared/terms.ts";
import type { DraftBody } from "../shared/wish.ts";
import { againAtCheck, draftStands, type FormView, toCheck } from "./check-view.ts";
import { type ListView, listed, type Row } from "./view.ts";

const STATE = { v: 1 };

export interface ViewCommit<O> extends OwnActs<Row> {
  readonly operation: string;
  /** Where the page's script sends what is confirmed. */
  readonly path: string;
  readonly body: (ctx: Ctx, params: JsonObject) => Promise<Attempt<DraftBody>>;
  readonly view: FormView<O>;
  /** The button of the last screen. */
  readonly press: RegExp;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  /** The page's script is answered as a program is: the same judgement. */
  readonly recognise: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession>["recognise"];
  readonly list: ListView;
}

/** A commit through the provider's views: its form, its last screen, the one press. */
export function viewCommit<O>(kind: ViewCommit<O>): CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> {
  const pattern = { method: "POST", path: kind.path } as const;
  /** The draft that a session's held request confirms, for the observation that follows. */
  const held = new WeakMap<BrowserSession, string>();

  const unmarked = async (ctx: Ctx, session: BrowserSession, params: JsonObject) => {
    const body = await kind.body(ctx, params);
    if (!body.ok) return body;
    const checked = await toCheck(session, kind.view, body.value, "");
    if (checked.ok) await checked.value.page.close().catch(() => {});
    return checked;
  };

  const find = async (session: BrowserSession, print: Fingerprint, record: ActionRecord): Promise<Matched> => {
    // Newest first, and with the reference at most once; without it every row that is there counts.
    const isOwn = (row: Row) => kind.reference(row) === print.ownReference;
    const rows = await listed(session, kind.list, (seen) => seen.some(isOwn));
    if (!rows.ok) return rows.reason.kind === "sign_in" ? rows.reason : { kind: "unclear", why: rows.reason.why };
    return matchOwn(rows.value, print, record, kind);
  };

  return {
    effect: "commit",
    operation: kind.operation,
    commits: [pattern],

    async prepare(ctx, session, params) {
      ctx.progress("check", "Going to the provider's last screen");
      const checked = await unmarked(ctx, session, params);
      if (!checked.ok) return checked.reason;
      return { kind: "ready", state: STATE, ...kind.terms(session.origin, checked.value.offer, params) };
    },

    async hold(ctx, session, record, state) {
      // Adapter state of another version is refused, not guessed (decisions.md 12).
      if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
      const body = await kind.body(ctx, parametersOf(record));
      if (!body.ok) return body.reason;
      const checked = await toCheck(session, kind.view, body.value, ownReference(record));
      if (!checked.ok) return checked.reason;
      const { page, draft } = checked.value;
      held.set(session, draft);
      const press = page.getByRole("button", { name: kind.press });
      if ((await press.count()) !== 1) throw new SiteTrouble("the provider's last screen has no one button");
      const exchange = await session.hold(() => press.click(), { pattern, timeoutMs: HOLD_MS });
      return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, draft) } };
    },

    async observe(ctx, session, record) {
      const params = parametersOf(record);
      const draft = held.get(session);
      if (draft === undefined) {
        const checked = await unmarked(ctx, session, params);
        if (!checked.ok) return checked.reason;
        return { kind: "done", value: kind.terms(session.origin, checked.value.offer, params) };
      }
      const body = await kind.body(ctx, params);
      if (!body.ok) return body.reason;
      const offer = await againAtCheck(session, kind.view, body.value, draft);
      return offer.ok ? { kind: "done", value: kind.terms(session.origin, offer.value, params) } : offer.reason;
    },

    recognise: kind.recognise,

    trace: (record) => traceOf(record),

    async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
      const print = readFingerprint(submission.fingerprint);
      if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
      const { draft } = print.value;
      const { record } = submission;
      const first = await find(session, print.value, record);
      if (first.kind !== "none") return first;
      if (draft === undefined) return { kind: "absent" };
      // A list without it is only half of it: a draft that was confirmed says so (STA-4).
      const stands = await draftStands(session, kind.view.checkHeading, draft);
      if (!stands.ok) return { kind: "sign_in" };
      if (stands.value === "waits") return { kind: "absent" };
      const late = await find(session, print.value, record);
      if (late.kind !== "none") return late;
      return stands.value === "over"
        ? { kind: "absent" }
        : { kind: "unclear", why: "no such act, and its last screen is gone" };
    },
  };
}

import type { Answer, CommitAdapter, Confirmation, Ctx, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  answerJson,
  gap,
  type JsonObject,
  type Observed,
  ok,
  parseInstant,
  SiteTrouble,
  wantsSignIn,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import type { z } from "zod";
import { type Fingerprint, fingerprintOf, readFingerprint, traceOf } from "../shared/fingerprint.ts";
import { CLOCK_SKEW_MS, PAGES_MAX } from "../shared/limits.ts";
import { parametersOf } from "../shared/terms.ts";
import { type DraftBody, OTHER_VERSION, ownReference } from "../shared/wish.ts";
import { bodyOf, errorCode } from "./shapes.ts";

// Paying, another plan and automatic payment go alike at this provider: a draft is the last screen, which holds the wish
// and not the price; a request of its own confirms it. Each draft that is held carries the task's reference.

const DRAFTS = "/api/drafts";
const STATE = { v: 1 };

/** What was done, as the provider lists it. */
export interface Made {
  readonly number: string;
  readonly madeAt: string;
  readonly reference: string;
}

export interface DraftCommit<O, M extends Made> {
  readonly operation: string;
  /** Confirms a draft. */
  readonly path: string;
  /** Lists what was done. */
  readonly list: string;
  readonly body: (ctx: Ctx, params: JsonObject) => Promise<Attempt<DraftBody>>;
  readonly draftShape: z.ZodType<{ readonly draft: string; readonly offer: O }>;
  readonly madeShape: z.ZodType<M>;
  readonly listShape: z.ZodType<{ readonly rows: readonly M[]; readonly pages: number }>;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  /** Whether what was done is what the record says. */
  readonly isWanted: (made: M, record: ActionRecord) => boolean;
  readonly confirmation: (made: M) => Confirmation<JsonObject>;
  readonly recordKind: string;
}

/** Why the provider will not do it, in words for whoever asked. Anything else that it says is trouble. */
const GAPS: Readonly<Record<string, string>> = {
  unknown_bill: "the provider has no such bill here",
  nothing_to_pay: "nothing is to be paid of this bill",
  unknown_method: "the provider does not take this way to pay",
  date_not_possible: "the provider does not take a payment on this day",
  unknown_contract: "the provider has no such contract here",
  unknown_plan: "the provider does not offer this plan for the contract",
  change_announced: "another change of this contract is announced already",
  nothing_to_change: "it is so already",
  invalid_request: "the provider does not take this",
};

/** What ends a submission for certain: the provider says in its own form that nothing was done. */
const REFUSALS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  declined: [422, "the provider declined it"],
  nothing_to_pay: [422, "nothing was to be paid of the bill any more"],
  date_not_possible: [422, "the day was not possible any more"],
  change_announced: [422, "another change was announced meanwhile"],
  nothing_to_change: [422, "it was so already"],
  draft_expired: [410, "the provider's last screen had run out"],
};

export function draftCommit<O, M extends Made>(
  kind: DraftCommit<O, M>,
): CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> {
  /** The draft that a session's held request confirms, for the observation that follows. */
  const held = new WeakMap<HttpSession, string>();

  const make = async (ctx: Ctx, session: HttpSession, params: JsonObject, reference: string) => {
    const body = await kind.body(ctx, params);
    if (!body.ok) return body;
    const answer = await session.fetch(DRAFTS, { method: "POST", body: { ...body.value, reference } });
    return refusedOr(answer.kind === "answer" ? errorCode(answer.json) : undefined, () =>
      bodyOf(answer, 201, kind.draftShape),
    );
  };

  /** The draft at the price of this moment; `done` and `expired` once nothing can be confirmed of it. */
  const lookAt = async (session: HttpSession, draft: string) => {
    const answer = await session.fetch(`${DRAFTS}/${encodeURIComponent(draft)}`);
    if (answer.kind === "signed_out") return wantsSignIn();
    const code = errorCode(answer.json);
    if (answer.status === 409 && code === "draft_done") return ok("done" as const);
    if (answer.status === 410 && code === "draft_expired") return ok("expired" as const);
    return refusedOr(answer.status === 422 ? code : undefined, () => bodyOf(answer, 200, kind.draftShape));
  };

  const look = async (session: HttpSession, print: Fingerprint, record: ActionRecord): Promise<Looked> => {
    const rows = await listed(session, kind, print, record);
    if (!rows.ok) return rows.reason.kind === "sign_in" ? rows.reason : { kind: "unclear", why: rows.reason.why };
    const [own, ...others] = rows.value.filter((each) => each.reference === print.ownReference);
    if (others.length > 0) return { kind: "unclear", why: "more than one act carries this task's mark" };
    if (own !== undefined)
      return kind.isWanted(own, record)
        ? { kind: "found", ...kind.confirmation(own) }
        : { kind: "unclear", why: "the act with this task's mark is of something else" };
    const alike = print.alike && rows.value.some((each) => kind.isWanted(each, record));
    return alike ? { kind: "unclear", why: "an equal act was done meanwhile" } : { kind: "none" };
  };

  return {
    effect: "commit",
    operation: kind.operation,
    commits: [{ method: "POST", path: kind.path }],

    async prepare(ctx, session, params) {
      ctx.progress("draft", "Asking the provider for its last screen");
      const draft = await make(ctx, session, params, "");
      if (!draft.ok) return draft.reason;
      return { kind: "ready", state: STATE, ...kind.terms(session.origin, draft.value.offer, params) };
    },

    async hold(ctx, session, record, state) {
      // Adapter state of another version is refused, not guessed (decisions.md 12).
      if (state["v"] !== STATE.v) return { kind: "gap", why: OTHER_VERSION };
      // A draft of its own, which carries the task's mark: the prepared one belongs to nobody.
      const made = await make(ctx, session, parametersOf(record), ownReference(record));
      if (!made.ok) return made.reason;
      const { draft } = made.value;
      held.set(session, draft);
      const exchange = await session.hold(kind.path, {
        method: "POST",
        body: { draft },
        headers: { "idempotency-key": await destinationKey(record) },
      });
      return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, draft) } };
    },

    async observe(ctx, session, record) {
      const params = parametersOf(record);
      const draft = held.get(session);
      const seen = draft === undefined ? await make(ctx, session, params, "") : await lookAt(session, draft);
      if (!seen.ok) return seen.reason;
      if (typeof seen.value === "string") return { kind: "gap", why: "the provider's last screen has run out" };
      return { kind: "done", value: kind.terms(session.origin, seen.value.offer, params) };
    },

    recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
      const json = answerJson(answer);
      if (answer.status === 201) {
        const made = kind.madeShape.safeParse(json);
        // Something else that was done is no confirmation of this: the provider is read back.
        if (!made.success || made.data.reference !== ownReference(record) || !kind.isWanted(made.data, record))
          return { kind: "unknown" };
        const bytes = { kind: kind.recordKind, mediaType: "application/json", bytes: answer.body };
        return { kind: "confirmed", ...kind.confirmation(made.data), records: [{ ...bytes, signatureChecked: false }] };
      }
      const code = errorCode(json);
      const refusal = code !== undefined && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
      return refusal !== undefined && refusal[0] === answer.status
        ? { kind: "refused", why: refusal[1] }
        : { kind: "unknown" };
    },

    trace: (record) => traceOf(record),

    async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
      const print = readFingerprint(submission.fingerprint);
      if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
      const { record } = submission;
      const first = await look(session, print.value, record);
      if (first.kind !== "none") return first;
      if (print.value.draft === undefined) return { kind: "absent" };
      // A list without it is only half of it: a draft that was confirmed says so (STA-4).
      const draft = await lookAt(session, print.value.draft);
      // What the provider would refuse now was not done before: done comes first with it.
      if (!draft.ok) return draft.reason.kind === "sign_in" ? draft.reason : { kind: "absent" };
      if (typeof draft.value !== "string") return { kind: "absent" };
      const late = await look(session, print.value, record);
      if (late.kind !== "none") return late;
      return draft.value === "done"
        ? { kind: "unclear", why: "the provider has confirmed it, and does not list it" }
        : { kind: "absent" };
    },
  };
}

type Looked = Found<JsonObject> | { readonly kind: "none" };

async function refusedOr<T>(code: string | undefined, work: () => Attempt<T>): Promise<Attempt<T>> {
  const why = code !== undefined && Object.hasOwn(GAPS, code) ? GAPS[code] : undefined;
  return why === undefined ? work() : gap(why);
}

/** What was done with the task's mark; and, where only the record has survived, everything since it was asked for. */
async function listed<O, M extends Made>(
  session: HttpSession,
  kind: DraftCommit<O, M>,
  print: Fingerprint,
  record: ActionRecord,
): Promise<Attempt<readonly M[]>> {
  const rows: M[] = [];
  const created = parseInstant(record.created_at);
  const since = created.ok ? created.value - CLOCK_SKEW_MS : 0;
  const isOld = ({ madeAt }: M): boolean => {
    const at = parseInstant(madeAt);
    return at.ok && at.value < since;
  };
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const query = new URLSearchParams({ page: String(page) });
    if (!print.alike) query.set("reference", print.ownReference);
    const body = bodyOf(await session.fetch(`${kind.list}?${query}`), 200, kind.listShape);
    if (!body.ok) return body;
    rows.push(...body.value.rows.filter((each) => !isOld(each)));
    // Newest first: behind an old one there is none that counts.
    if (page >= body.value.pages || body.value.rows.some(isOld)) return ok(rows);
  }
  throw new SiteTrouble("the provider's list does not end");
}

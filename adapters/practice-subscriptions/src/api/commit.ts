import type { Answer, CommitAdapter, Confirmation, Ctx, Found, Observed, RequestPattern } from "@countersign/plugin";
import {
  type Attempt,
  answerJson,
  gap,
  isJsonObject,
  type JsonObject,
  ok,
  wantsSignIn,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import { z } from "zod";
import { fingerprintOf, ownReference, readFingerprint } from "../shared/fingerprint.ts";
import { bodyOf, errorCode } from "./shapes.ts";

// Every commit of the service's API goes the same way: a preview is the last screen, it is named by the committing
// request together with a reference of ours, and what was done is listed by that reference.

const PREVIEWS = "/api/v2/previews";
const STATE = { v: 1 };

/** Why the service will not do it, in words for whoever asked. Anything else that it says is trouble. */
const GAPS: Readonly<Record<string, string>> = {
  not_subscribed: "the service has no such subscription here",
  already_ending: "the subscription is cancelled already",
  change_announced: "another plan is announced for the subscription already",
  unknown_plan: "the service has no such plan on offer",
  same_plan: "this is the plan that the account has",
  invalid_address: "the service does not take this address",
  invalid_email: "the service does not take this e-mail address",
  invalid_phone: "the service does not take this telephone number",
  same_value: "the service has exactly this already",
};

/** What ends a submission for certain: the service says in its own form that nothing was changed. */
const REFUSALS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  refused: [422, "the service does not do it at the moment"],
  preview_expired: [410, "the service's preview has run out"],
  unknown_plan: [422, "the service does not offer the plan any more"],
};

/** Where a preview is asked for, and with what. */
export interface Asking {
  readonly path: string;
  readonly body: JsonObject;
  /** What the person entered, as it is brought there. */
  readonly entered?: Readonly<Record<string, string>>;
}

export interface Previewed<Q> {
  readonly preview: string;
  readonly offer: Q;
}

/** What one of the commits has for itself. */
export interface LanternCommit<Q, D extends { readonly reference: string }> {
  readonly operation: string;
  readonly commit: string;
  /** The list of what was done, and the member of its answer. */
  readonly list: { readonly path: string; readonly member: string };
  readonly looking: string;
  readonly ask: (ctx: Ctx, params: JsonObject) => Attempt<Asking> | Promise<Attempt<Asking>>;
  readonly previewShape: z.ZodType<Previewed<Q>>;
  readonly terms: (origin: string, offer: Q, params: JsonObject) => Observed<JsonObject>;
  /** Why this offer is not what was asked for; undefined when it is. */
  readonly unlike?: (offer: Q, params: JsonObject) => string | undefined;
  /** @throws SiteTrouble when the preview is not of what was brought there. */
  readonly check?: (offer: Q, asking: Asking) => void;
  readonly doneShape: z.ZodType<D>;
  /** Whether this is of what the record says; another's confirmation confirms nothing. */
  readonly isWanted: (done: D, record: ActionRecord) => boolean;
  readonly outcome: (done: D, record: ActionRecord) => Confirmation<JsonObject>;
}

export function lanternCommit<Q, D extends { readonly reference: string }>(
  spec: LanternCommit<Q, D>,
): CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> {
  /** The preview that a session's held request uses, for the observation that follows. */
  const heldPreviews = new WeakMap<HttpSession, string>();
  const listShape = z.object({ [spec.list.member]: z.array(spec.doneShape) });
  const commit: RequestPattern = { method: "POST", path: spec.commit };

  const askPreview = async (ctx: Ctx, session: HttpSession, params: JsonObject): Promise<Attempt<Previewed<Q>>> => {
    const asking = await spec.ask(ctx, params);
    if (!asking.ok) return asking;
    const { path, body } = asking.value;
    const answer = await session.fetch(path, { method: "POST", body });
    if (answer.kind === "signed_out") return wantsSignIn();
    const why = gapOf(answer.status, errorCode(answer));
    if (why !== undefined) return gap(why);
    const preview = bodyOf(answer, 201, spec.previewShape);
    if (preview.ok) spec.check?.(preview.value.offer, asking.value);
    const unlike = preview.ok ? spec.unlike?.(preview.value.offer, params) : undefined;
    return unlike === undefined ? preview : gap(unlike);
  };
  /** The preview as of now; undefined once it has run out or was used. */
  const lookAtPreview = async (session: HttpSession, id: string): Promise<Attempt<Previewed<Q> | undefined>> => {
    const answer = await session.fetch(`${PREVIEWS}/${encodeURIComponent(id)}`);
    if (answer.kind === "answer" && answer.status === 410 && errorCode(answer) === "preview_expired")
      return ok(undefined);
    const why = answer.kind === "answer" ? gapOf(answer.status, errorCode(answer)) : undefined;
    return why === undefined ? bodyOf(answer, 200, spec.previewShape) : gap(why);
  };
  type Looked = Found<JsonObject> | { readonly kind: "none" };
  /** What was done under the task's own reference. */
  const look = async (session: HttpSession, reference: string, record: ActionRecord): Promise<Looked> => {
    const path = `${spec.list.path}?reference=${encodeURIComponent(reference)}`;
    const rows = bodyOf(await session.fetch(path), 200, listShape);
    if (!rows.ok) return { kind: "sign_in" };
    const all: readonly D[] = rows.value[spec.list.member] ?? [];
    const [done, ...others] = all.filter((each) => each.reference === reference);
    if (others.length > 0) return { kind: "unclear", why: "more than one carries this task's mark" };
    if (done === undefined) return { kind: "none" };
    return spec.isWanted(done, record)
      ? { kind: "found", ...spec.outcome(done, record) }
      : { kind: "unclear", why: "what carries this task's mark is something else" };
  };

  return {
    effect: "commit",
    operation: spec.operation,
    commits: [commit],

    async prepare(ctx, session, params) {
      ctx.progress("preview", spec.looking);
      const preview = await askPreview(ctx, session, params);
      if (!preview.ok) return preview.reason;
      return { kind: "ready", state: STATE, ...spec.terms(session.origin, preview.value.offer, params) };
    },

    async hold(ctx, session, record, state) {
      // Adapter state of another version is refused, not guessed (decisions.md 12).
      if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
      // A preview holds the wish and no price of its own, so a new one stands for the prepared one.
      const asked = await askPreview(ctx, session, record.parameters as JsonObject);
      if (!asked.ok) return asked.reason;
      const { preview } = asked.value;
      heldPreviews.set(session, preview);
      const exchange = await session.hold(spec.commit, {
        method: "POST",
        body: { preview, reference: ownReference(record) },
        headers: { "idempotency-key": await destinationKey(record) },
      });
      return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, { preview }) } };
    },

    async observe(ctx, session, record) {
      const held = heldPreviews.get(session);
      const params = record.parameters as JsonObject;
      const preview = held === undefined ? await askPreview(ctx, session, params) : await lookAtPreview(session, held);
      if (!preview.ok) return preview.reason;
      if (preview.value === undefined) return { kind: "gap", why: "the service's preview has run out" };
      return { kind: "done", value: spec.terms(session.origin, preview.value.offer, params) };
    },

    recognise(answer: Answer, record: ActionRecord) {
      const json = answerJson(answer);
      if (answer.status === 201) {
        const done = spec.doneShape.safeParse(json);
        const ours = done.success && done.data.reference === ownReference(record) && spec.isWanted(done.data, record);
        return ours ? { kind: "confirmed", ...spec.outcome(done.data, record) } : { kind: "unknown" };
      }
      const code = json === undefined || !isJsonObject(json) ? undefined : errorCode({ json });
      const refusal = code !== undefined && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
      return refusal !== undefined && refusal[0] === answer.status
        ? { kind: "refused", why: refusal[1] }
        : { kind: "unknown" };
    },

    trace: (record) => fingerprintOf(record),

    async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
      const print = readFingerprint(submission.fingerprint);
      if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
      const { reference, preview } = print.value;
      const first = await look(session, reference, submission.record);
      if (first.kind !== "none") return first;
      if (preview === undefined) return { kind: "absent" };
      // A list without it is only half of it: a preview that is used is gone (STA-4).
      const open = await lookAtPreview(session, preview);
      if (!open.ok && open.reason.kind === "sign_in") return open.reason;
      if (open.ok && open.value !== undefined) return { kind: "absent" };
      // Used since the list was read; or it has run out or become impossible, and then nothing can come of it any more.
      const late = await look(session, reference, submission.record);
      return late.kind === "none" ? { kind: "absent" } : late;
    },
  };
}

function gapOf(status: number, code: string | undefined): string | undefined {
  const known = status === 404 || status === 409 || status === 422;
  return known && code !== undefined && Object.hasOwn(GAPS, code) ? GAPS[code] : undefined;
}

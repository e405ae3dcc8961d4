import type { Answer, CommitAdapter, Recognised } from "@countersign/plugin";
import { type Attempt, answerJson, gap, wantsSignIn } from "@countersign/plugin/site";
import { bodyOf, destinationKey, type HttpSession } from "@countersign/route-http";
import { assert, type JsonObject, ok, parseInstant } from "@countersign/wire";
import type { z } from "zod";
import { CLOCK_SKEW_MS } from "../shared/limits.ts";
import {
  ALREADY_CANCELLED,
  cancellationResult,
  cancellationTerms,
  cancellationTrace,
  dayOf,
  isMembership,
  NO_SUCH_SUBSCRIPTION,
} from "../shared/membership.ts";
import { errorCode, membershipShape, previewShape } from "./shapes.ts";

const MEMBERSHIP = "/api/v1/membership";
const PREVIEWS = `${MEMBERSHIP}/cancellation-previews`;
const CANCELLATION = `${MEMBERSHIP}/cancellation`;
const STATE_VERSION = 1;

type Preview = z.infer<typeof previewShape>;
type Cancelled = Extract<z.infer<typeof membershipShape>, { status: "cancelled" }>;

/** The preview that a session's held request confirms, for the observation that follows. */
const heldPreviews = new WeakMap<HttpSession, string>();

/** Cancels the membership through the shop's API: a preview is the last screen. */
export const subscriptionCancel: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "subscription.cancel",
  commits: [{ method: "POST", path: CANCELLATION }],

  async prepare(ctx, session, params) {
    if (!isMembership(params)) return { kind: "gap", why: NO_SUCH_SUBSCRIPTION };
    ctx.progress("preview", "Asking the shop what a cancellation brings");
    const preview = await askPreview(session);
    if (!preview.ok) return preview.reason;
    const { previewId, cancellation } = preview.value;
    const state = { v: STATE_VERSION, preview_id: previewId };
    return { kind: "ready", state, terms: cancellationTerms(session.origin, cancellation) };
  },

  async hold(_ctx, session, record, state) {
    const active = await isActive(session);
    if (!active.ok) return active.reason;
    const preview = await openPreview(session, state);
    if (!preview.ok) return preview.reason;
    const { previewId, cancellation } = preview.value;
    heldPreviews.set(session, previewId);
    const exchange = await session.hold(CANCELLATION, {
      method: "POST",
      body: { preview_id: previewId },
      headers: { "idempotency-key": await destinationKey(record) },
    });
    const fingerprint = { v: STATE_VERSION, plan: cancellation.plan, ends_on: dayOf(cancellation.endsAt) };
    return { kind: "done", value: { exchange, fingerprint } };
  },

  async observe(_ctx, session, _record, state) {
    const active = await isActive(session);
    if (!active.ok) return active.reason;
    const previewId = heldPreviews.get(session) ?? previewIn(state) ?? "";
    const preview = await lookAtPreview(session, previewId);
    if (!preview.ok) return preview.reason;
    if (preview.value === undefined) return { kind: "gap", why: "the shop's preview has run out" };
    return { kind: "done", value: { terms: cancellationTerms(session.origin, preview.value.cancellation) } };
  },

  recognise(answer: Answer): Recognised<JsonObject> {
    const json = answerJson(answer);
    const membership = answer.status === 201 ? membershipShape.safeParse(json) : undefined;
    if (membership?.success && membership.data.status === "cancelled")
      return { kind: "confirmed", ...outcomeOf(membership.data) };
    const code = json === undefined ? undefined : errorCode({ json });
    if (answer.status === 422 && code === "cancellation_not_possible")
      return { kind: "refused", why: "the shop cannot cancel at the moment" };
    if (answer.status === 410 && code === "preview_expired")
      return { kind: "refused", why: "the shop's preview has run out" };
    // 409 already_cancelled may be the echo of this very request, sent twice by something between: read back.
    return { kind: "unknown" };
  },

  trace: (record) => ({ v: STATE_VERSION, ...cancellationTrace(record) }),

  async readBack(_ctx, session, submission) {
    const membership = bodyOf(await session.fetch(MEMBERSHIP), 200, membershipShape);
    if (!membership.ok) return { kind: "sign_in" };
    if (membership.value.status === "active") return { kind: "absent" };
    const submitted = parseInstant(submission.submittedAt);
    const cancelled = parseInstant(membership.value.cancelled_at);
    assert(submitted.ok && cancelled.ok, "times that were judged before");
    // Cancelled well before ours left: somebody else's, so ours changed nothing.
    if (cancelled.value < submitted.value - CLOCK_SKEW_MS) return { kind: "absent" };
    return { kind: "found", ...outcomeOf(membership.value) };
  },
};

function outcomeOf(membership: Cancelled) {
  const { cancellation_reference: confirmation, ends_at: endsAt } = membership;
  return {
    confirmation,
    result: cancellationResult(confirmation, endsAt),
    observed: { plan: membership.plan, ends_on: dayOf(endsAt) },
  };
}

/** Never cancel what is cancelled: the answer could not be told from another's. */
async function isActive(session: HttpSession): Promise<Attempt<true>> {
  const membership = bodyOf(await session.fetch(MEMBERSHIP), 200, membershipShape);
  if (!membership.ok) return membership;
  return membership.value.status === "active" ? ok(true) : gap(ALREADY_CANCELLED);
}

async function askPreview(session: HttpSession): Promise<Attempt<Preview>> {
  const answer = await session.fetch(PREVIEWS, { method: "POST", body: {} });
  if (answer.kind === "signed_out") return wantsSignIn();
  if (answer.status === 409 && errorCode(answer) === "already_cancelled") return gap(ALREADY_CANCELLED);
  return bodyOf(answer, 201, previewShape);
}

/** The preview as of now; undefined once it has run out. */
async function lookAtPreview(session: HttpSession, previewId: string): Promise<Attempt<Preview | undefined>> {
  const answer = await session.fetch(`${PREVIEWS}/${encodeURIComponent(previewId)}`);
  if (answer.kind === "answer" && answer.status === 410 && errorCode(answer) === "preview_expired")
    return ok(undefined);
  return bodyOf(answer, 200, previewShape);
}

/** A preview holds no price of its own, so a new one may stand in for one that ran out while the person decided. */
async function openPreview(session: HttpSession, state: JsonObject): Promise<Attempt<Preview>> {
  const previewId = previewIn(state);
  if (previewId === undefined) return gap("the task was prepared by another version");
  const open = await lookAtPreview(session, previewId);
  if (!open.ok) return open;
  return open.value === undefined ? askPreview(session) : ok(open.value);
}

/** Adapter state of another version is refused, not guessed (decisions.md 12). */
function previewIn(state: JsonObject): string | undefined {
  const { v, preview_id: previewId } = state;
  return v === STATE_VERSION && typeof previewId === "string" ? previewId : undefined;
}

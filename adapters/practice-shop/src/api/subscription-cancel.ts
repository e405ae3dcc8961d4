import {
  type Answer,
  type CommitAdapter,
  type Found,
  type Prepared,
  type Recognised,
  SiteTrouble,
  type Step,
} from "@countersign/plugin";
import type { HttpSession } from "@countersign/route-http";
import { type JsonObject, parseJson } from "@countersign/wire";
import { cancellationResult, cancelTerms, day, MEMBERSHIP_REF } from "../shared/membership.ts";
import { errorCode, membershipAnswer, previewAnswer, readAnswer } from "./shapes.ts";

const MEMBERSHIP = "/api/v1/membership";
const CANCELLATION = `${MEMBERSHIP}/cancellation`;
const PREVIEWS = `${MEMBERSHIP}/cancellation-previews`;

/** Cancels the membership through the shop's API: a preview is the last screen. */
export const subscriptionCancel: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "subscription.cancel",
  commits: [{ method: "POST", path: CANCELLATION }],

  async prepare(ctx, session, params): Promise<Prepared<JsonObject>> {
    if (params["subscription_ref"] !== MEMBERSHIP_REF) return { kind: "gap", why: "the shop has no such subscription" };
    ctx.progress("preview", "Asking the shop what a cancellation means");
    const answer = await session.call({ method: "POST", path: PREVIEWS, body: {} });
    if (answer.status === 409) return { kind: "gap", why: "the membership is cancelled already" };
    const preview = readAnswer(answer, previewAnswer, 201);
    if (preview === "signed_out") return { kind: "sign_in" };
    const terms = cancelTerms(session.origin, {
      plan: preview.plan,
      endsAt: preview.ends_at,
      consequences: preview.consequences,
    });
    return { kind: "ready", state: { v: 1, preview_id: preview.preview_id }, terms };
  },

  async hold(_ctx, session, _record, state) {
    const membership = readAnswer(await session.call({ method: "GET", path: MEMBERSHIP }), membershipAnswer, 200);
    if (membership === "signed_out") return { kind: "sign_in" };
    if (membership.status !== "active") return { kind: "gap", why: "the membership is cancelled already" };
    const exchange = await session.hold({
      method: "POST",
      path: CANCELLATION,
      body: { preview_id: String(state["preview_id"]) },
    });
    return { kind: "done", value: { exchange, fingerprint: { v: 1, was: "active" } } };
  },

  async observe(_ctx, session, _record, state): Promise<Step<{ terms: JsonObject }>> {
    const answer = await session.call({
      method: "GET",
      path: `${PREVIEWS}/${encodeURIComponent(String(state["preview_id"]))}`,
    });
    if (answer.status === 410 || answer.status === 409) return { kind: "gap", why: "the shop's preview has run out" };
    const preview = readAnswer(answer, previewAnswer, 200);
    if (preview === "signed_out") return { kind: "sign_in" };
    const view = { plan: preview.plan, endsAt: preview.ends_at, consequences: preview.consequences };
    return { kind: "done", value: { terms: cancelTerms(session.origin, view) } };
  },

  recognise(answer: Answer): Recognised<JsonObject> {
    const json = parseJson(answer.body);
    const membership = answer.status === 201 && json.ok ? membershipAnswer.safeParse(json.value) : undefined;
    if (membership?.success && membership.data.cancellation_reference && membership.data.ends_at) {
      const { cancellation_reference: reference, ends_at: endsAt } = membership.data;
      return {
        kind: "confirmed",
        confirmation: reference,
        result: cancellationResult(reference, endsAt),
        observed: { ends_on: day(endsAt) },
      };
    }
    const refused = answer.status === 422 && json.ok && errorCode(json.value) === "cancellation_not_possible";
    return refused ? { kind: "refused", why: "cancellation_not_possible" } : { kind: "unknown" };
  },

  async readBack(_ctx, session): Promise<Found<JsonObject>> {
    const membership = readAnswer(await session.call({ method: "GET", path: MEMBERSHIP }), membershipAnswer, 200);
    if (membership === "signed_out") return { kind: "sign_in" };
    if (membership.status === "active") return { kind: "absent" };
    const { cancellation_reference: reference, ends_at: endsAt } = membership;
    if (!reference || !endsAt) throw new SiteTrouble("the shop shows a cancellation without its reference");
    // It was active when the request was held, so this cancellation came after.
    return {
      kind: "found",
      confirmation: reference,
      result: cancellationResult(reference, endsAt),
      observed: { ends_on: day(endsAt) },
    };
  },
};

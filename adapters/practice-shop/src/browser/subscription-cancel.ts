import type { Answer, CommitAdapter, Recognised } from "@countersign/plugin";
import { wantsSignIn } from "@countersign/plugin/site";
import { type BrowserSession, isPageWith } from "@countersign/route-browser";
import type { JsonObject } from "@countersign/wire";
import { HOLD_MS } from "../shared/limits.ts";
import {
  cancellationResult,
  cancellationTerms,
  cancellationTrace,
  dayOf,
  isMembership,
  NO_SUCH_SUBSCRIPTION,
} from "../shared/membership.ts";
import { CONFIRM, onConfirmPage, readMembership } from "./membership-page.ts";
import { isSignIn, onPage, visit } from "./visit.ts";

const COMMIT = { method: "POST", path: "/membership/cancel" } as const;
const STATE_VERSION = 1;

/** Cancels the membership through the shop's pages: the page after the offer to stay is the last screen. */
export const subscriptionCancel: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "subscription.cancel",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    if (!isMembership(params)) return { kind: "gap", why: NO_SUCH_SUBSCRIPTION };
    ctx.progress("preview", "Looking at what a cancellation brings");
    const cancellation = await visit(session, CONFIRM, onConfirmPage);
    if (!cancellation.ok) return cancellation.reason;
    return {
      kind: "ready",
      state: { v: STATE_VERSION },
      terms: cancellationTerms(session.origin, cancellation.value),
    };
  },

  async hold(_ctx, session, _record, state) {
    if (state["v"] !== STATE_VERSION) return { kind: "gap", why: "the task was prepared by another version" };
    const page = await session.page(CONFIRM);
    const cancellation = await onPage(session, async () => (isSignIn(page) ? wantsSignIn() : onConfirmPage(page)));
    if (!cancellation.ok) return cancellation.reason;
    const { plan, endsAt } = cancellation.value;
    const button = page.getByRole("button", { name: "Confirm cancellation", exact: true });
    const click = () => session.hold(() => button.click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    const exchange = await onPage(session, click);
    return { kind: "done", value: { exchange, fingerprint: { v: STATE_VERSION, plan, ends_on: dayOf(endsAt) } } };
  },

  async observe(_ctx, session) {
    const cancellation = await visit(session, CONFIRM, onConfirmPage);
    if (!cancellation.ok) return cancellation.reason;
    return { kind: "done", value: { terms: cancellationTerms(session.origin, cancellation.value) } };
  },

  /**
   * The shop answers a cancellation by leading back to the membership page, without its reference. That is no
   * confirmation one could keep, so the outcome is left to the read-back, which has it.
   */
  recognise(answer: Answer): Recognised<JsonObject> {
    return isPageWith(answer, 422, "Your membership was not cancelled")
      ? { kind: "refused", why: "the shop cannot cancel at the moment" }
      : { kind: "unknown" };
  },

  trace: (record) => ({ v: STATE_VERSION, ...cancellationTrace(record) }),

  async readBack(_ctx, session, submission) {
    const { v, plan: wanted } = submission.fingerprint;
    if (v !== STATE_VERSION) return { kind: "unclear", why: "the fingerprint is of another version" };
    const membership = await readMembership(session);
    if (!membership.ok) return { kind: "sign_in" };
    if (membership.value.kind === "active") return { kind: "absent" };
    // It was active when the terms were observed right before the sending. The page tells no time of cancelling.
    const { reference, endsAt, plan } = membership.value;
    if (plan !== wanted) return { kind: "unclear", why: "another plan was cancelled" };
    return {
      kind: "found",
      confirmation: reference,
      result: cancellationResult(reference, endsAt),
      observed: { plan, ends_on: dayOf(endsAt) },
    };
  },
};

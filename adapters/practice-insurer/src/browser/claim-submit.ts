import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  fingerprintOf,
  type JsonObject,
  matchOwn,
  ownReference,
  readFingerprint,
  traceOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, redirectPath } from "@countersign/route-browser";
import { CLAIM_NUMBER, claimTerms, claimWish, ownClaims, possible } from "../shared/claim.ts";
import { HOLD_MS } from "../shared/limits.ts";
import { readClaims } from "./claims.ts";
import { againAtCheck, type Chosen, toCheck } from "./form.ts";
import { visits } from "./page-text.ts";

const COMMIT = { method: "POST", path: "/c/*/send" } as const;
const STATE = { v: 1 };

/** What a session's held request sends, for the observation that follows. */
const heldClaims = new WeakMap<BrowserSession, Chosen>();

/**
 * Claims through the insurer's pages. The form stands in a frame of the claims company's, at an origin of its own, and
 * what commits leaves from there: the destination has to name that origin.
 */
export const claimSubmit: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "insurance.claim.submit",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    const wish = possible(claimWish(params));
    if (!wish.ok) return wish.reason;
    ctx.progress("check", "Going to the insurer's last step");
    const check = await toCheck(session, wish.value, "");
    if (!check.ok) return check.reason;
    await check.value.page.close().catch(() => {});
    return { kind: "ready", state: STATE, ...claimTerms(session.origin, check.value.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    const check = await toCheck(session, claimWish(record.parameters as JsonObject), ownReference(record));
    if (!check.ok) return check.reason;
    const { frame, chosen } = check.value;
    heldClaims.set(session, chosen);
    const exchange = await visits.onPage(session, async () => {
      const send = frame.getByRole("dialog").getByRole("button", { name: "Send my claim", exact: true });
      const { origin } = new URL(frame.url());
      return session.hold(() => send.press("Enter"), { pattern: COMMIT, timeoutMs: HOLD_MS, origin });
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, chosen.draft) } };
  },

  async observe(_ctx, session, record) {
    const held = heldClaims.get(session);
    if (held !== undefined) {
      const offer = await againAtCheck(session, held);
      return offer.ok ? { kind: "done", value: claimTerms(session.origin, offer.value) } : offer.reason;
    }
    const check = await toCheck(session, claimWish(record.parameters as JsonObject), "");
    if (!check.ok) return check.reason;
    await check.value.page.close().catch(() => {});
    return { kind: "done", value: claimTerms(session.origin, check.value.offer) };
  },

  /**
   * The claims company answers with the claim's number alone. The result's amount is therefore the approved one, and
   * nothing is said to have been observed: only a read-back could.
   */
  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const path = redirectPath(answer, 303, record.route.origin) ?? "";
    const number = /^\/c\/[\w-]{20,64}\/sent\/([^/]+)$/.exec(path)?.[1] ?? "";
    if (CLAIM_NUMBER.test(number)) {
      const { currency, claimed_minor: claimed } = record.terms as JsonObject;
      const result = {
        claim_ref: number,
        status: "received",
        currency: String(currency),
        claimed_minor: Number(claimed),
      };
      return { kind: "confirmed", confirmation: number, result };
    }
    if (isPageWith(answer, 422, "Your claim was not sent"))
      return { kind: "refused", why: "the insurer did not take the claim" };
    if (isPageWith(answer, 410, "This claim has lapsed"))
      return { kind: "refused", why: "the insurer's form had lapsed" };
    return { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const seen = await readClaims(session);
    if (!seen.ok) return { kind: "sign_in" };
    const found = matchOwn(seen.value.claims, print.value, submission.record, ownClaims);
    if (found.kind !== "none") return found;
    const { draft } = print.value;
    // A list without the claim is only half of it: what was begun and not sent stands there as well (STA-4).
    return draft === undefined || seen.value.notSent.includes(draft)
      ? { kind: "absent" }
      : { kind: "unclear", why: "neither the claim nor what was begun stands there" };
  },
};

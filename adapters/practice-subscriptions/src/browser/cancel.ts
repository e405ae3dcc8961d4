import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import { type Attempt, fingerprintOf, type JsonObject, ok, readFingerprint, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pathOf, redirectPath } from "@countersign/route-browser";
import { CANCELLATION_NUMBER, type Cancelled, cancellationTerms, cancelled } from "../shared/cancellation.ts";
import { HOLD_MS } from "../shared/limits.ts";
import { againToLastPage, LAST_HEADING, toLastPage } from "./leaving.ts";
import { factOf, type Look, look, printedDay, visits } from "./page-text.ts";
import { readSubscriptions } from "./subscriptions.ts";

const COMMIT = { method: "POST", path: "/leaving/*/confirm" } as const;
/** Taking up an offer to stay commits as well: named here, the route lets no such request out, and none is ever held. */
const STAY = { method: "POST", path: "/leaving/*/offers/*/take" } as const;
const STATE = { v: 1 };
const WORD = "CANCEL";

/** The last page that a session's held request confirms, for the observation that follows. */
const heldDrafts = new WeakMap<BrowserSession, string>();

const subscriptionOf = (params: JsonObject): string => String(params["subscription_ref"]);

/** Cancels through the service's pages: a reason, its offers to stay, and the last page with a box and a word. */
export const subscriptionCancel: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "subscription.cancel",
  commits: [COMMIT, STAY],

  async prepare(ctx, session, params) {
    ctx.progress("leaving", "Going to the service's last page");
    const last = await toLastPage(session, subscriptionOf(params));
    if (!last.ok) return last.reason;
    await last.value.page.close().catch(() => {});
    return { kind: "ready", state: STATE, terms: cancellationTerms(session.origin, last.value.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    const last = await toLastPage(session, subscriptionOf(record.parameters as JsonObject));
    if (!last.ok) return last.reason;
    const { page, draft } = last.value;
    heldDrafts.set(session, draft);
    const exchange = await visits.onPage(session, async () => {
      await page.getByRole("checkbox", { name: "I understand what I lose", exact: true }).check();
      await page.getByRole("textbox", { name: `Type ${WORD} to confirm`, exact: true }).fill(WORD);
      const button = page.getByRole("button", { name: "Cancel my plan", exact: true });
      return session.hold(() => button.click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, draft) } };
  },

  async observe(_ctx, session, record) {
    const subscription = subscriptionOf(record.parameters as JsonObject);
    const held = heldDrafts.get(session);
    if (held !== undefined) {
      const offer = await againToLastPage(session, held, subscription);
      return offer.ok
        ? { kind: "done", value: { terms: cancellationTerms(session.origin, offer.value) } }
        : offer.reason;
    }
    const last = await toLastPage(session, subscription);
    if (!last.ok) return last.reason;
    await last.value.page.close().catch(() => {});
    return { kind: "done", value: { terms: cancellationTerms(session.origin, last.value.offer) } };
  },

  /** The service answers with the cancellation's number alone: its day is the approved one, and nothing is observed. */
  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const path = redirectPath(answer, 303, record.route.origin) ?? "";
    const number = /^\/cancellations\/([^/]+)$/.exec(path)?.[1] ?? "";
    if (CANCELLATION_NUMBER.test(number)) {
      const { ends_on: endsOn } = record.terms as JsonObject;
      return {
        kind: "confirmed",
        confirmation: number,
        result: { cancellation_ref: number, ends_on: String(endsOn) },
      };
    }
    if (isPageWith(answer, 422, "Your plan was not cancelled"))
      return { kind: "refused", why: "the service does not do it at the moment" };
    if (isPageWith(answer, 410, "This has lapsed")) return { kind: "refused", why: "the service's page had lapsed" };
    return { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const { draft } = print.value;
    const came = draft === undefined ? ok("lapsed" as const) : await cameOf(session, draft);
    if (!came.ok) return { kind: "sign_in" };
    if (typeof came.value === "object") return { kind: "found", ...cancelled(came.value) };
    if (came.value === "nothing") return { kind: "absent" };
    // Its page tells nothing any more. Nobody can subscribe again to what ended, so one that runs on was not cancelled.
    const seen = await readSubscriptions(session);
    if (!seen.ok) return { kind: "sign_in" };
    const subscription = subscriptionOf(submission.record.parameters as JsonObject);
    return seen.value.some(({ id, status }) => id === subscription && status !== "ending")
      ? { kind: "absent" }
      : { kind: "unclear", why: "it is cancelled, and whose act that was cannot be told" };
  },
};

type Came = Cancelled | "nothing" | "lapsed";

/** What came of a last page: its cancellation, nothing, or it tells nothing any more. */
function cameOf(session: BrowserSession, draft: string): Promise<Attempt<Came>> {
  return visits.visit(session, draft, async (page): Promise<Attempt<Came>> => {
    const seen = await look(page);
    if (/^\/cancellations\//.test(pathOf(page))) return ok(cancellationOf(seen));
    if (seen.heading === "This has lapsed") return ok("lapsed");
    // Cancelled elsewhere meanwhile: what was done through this page would have led on to its own cancellation.
    if (seen.heading === "This is cancelled already") return ok("nothing");
    visits.expectHeading(seen.heading, LAST_HEADING);
    return ok("nothing");
  });
}

/** A cancellation's own page. @throws SiteTrouble when it is not exactly as it should be. */
export function cancellationOf(seen: Look): Cancelled {
  visits.expectHeading(seen.heading, "Your plan is cancelled");
  const number = factOf(seen.facts, "Cancellation");
  if (!CANCELLATION_NUMBER.test(number)) visits.expectHeading("", "a cancellation");
  return { number, plan: factOf(seen.facts, "Plan"), endsOn: printedDay(factOf(seen.facts, "Ends on")) };
}

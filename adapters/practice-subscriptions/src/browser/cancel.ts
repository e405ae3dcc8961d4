import type { Answer, Recognised } from "@countersign/plugin";
import { type Attempt, type JsonObject, ok } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pageCommit, pathOf, redirectPath } from "@countersign/route-browser";
import {
  CANCELLATION_NUMBER,
  type CancellationOffer,
  type Cancelled,
  cancellationTerms,
  cancelled,
} from "../shared/cancellation.ts";
import { againToLastPage, LAST_HEADING, toLastPage } from "./leaving.ts";
import { factOf, type Look, look, printedDay, visits } from "./page-text.ts";
import { readSubscriptions } from "./subscriptions.ts";

const subscriptionOf = (params: JsonObject): string => String(params["subscription_ref"]);

/** Cancels through the service's pages: a reason, its offers to stay, and the last page with a box and a word. */
export const subscriptionCancel = pageCommit<CancellationOffer, { readonly draft: string }>(
  {
    operation: "subscription.cancel",
    // Taking up an offer to stay commits as well.
    commits: [
      { method: "POST", path: "/leaving/*/confirm" },
      { method: "POST", path: "/leaving/*/offers/*/take" },
    ],
    looking: "Going to the service's last page",
    toLast: (_ctx, session, { params }) => toLastPage(session, subscriptionOf(params)),
    again: (_ctx, session, { draft }, { params }) => againToLastPage(session, draft, subscriptionOf(params)),
    draftOf: ({ draft }) => draft,
    terms: (origin, offer) => ({ terms: cancellationTerms(origin, offer) }),

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

    async readBack(session, { draft }, record) {
      const came = draft === undefined ? ok("lapsed" as const) : await cameOf(session, draft);
      if (!came.ok) return { kind: "sign_in" };
      if (typeof came.value === "object") return { kind: "found", ...cancelled(came.value) };
      if (came.value === "nothing") return { kind: "absent" };
      // Its page tells nothing any more. Nobody can subscribe again to what ended, so one that runs on was not cancelled.
      const seen = await readSubscriptions(session);
      if (!seen.ok) return { kind: "sign_in" };
      const subscription = subscriptionOf(record.parameters as JsonObject);
      return seen.value.some(({ id, status }) => id === subscription && status !== "ending")
        ? { kind: "absent" }
        : { kind: "unclear", why: "it is cancelled, and whose act that was cannot be told" };
    },
  },
  visits,
);

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

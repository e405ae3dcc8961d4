import type { Answer, Recognised } from "@countersign/plugin";
import { type JsonObject, matchOwn } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { isPageWith, pageCommit, redirectPath } from "@countersign/route-browser";
import { CLAIM_NUMBER, type ClaimOffer, claimTerms, claimWish, ownClaims, possible } from "../shared/claim.ts";
import { readClaims } from "./claims.ts";
import { againAtCheck, type Chosen, toCheck } from "./form.ts";
import { visits } from "./page-text.ts";

/**
 * Claims through the insurer's pages. The form stands in a frame of the claims company's, at an origin of its own, and
 * what commits leaves from there: the destination has to name that origin.
 */
export const claimSubmit = pageCommit<ClaimOffer, Chosen>(
  {
    operation: "insurance.claim.submit",
    commits: [{ method: "POST", path: "/c/*/send" }],
    looking: "Going to the insurer's last step",
    async toLast(_ctx, session, { params }, reference) {
      const wish = possible(claimWish(params));
      return wish.ok ? toCheck(session, wish.value, reference) : wish;
    },
    again: (_ctx, session, chosen) => againAtCheck(session, chosen),
    draftOf: ({ draft }) => draft,
    terms: claimTerms,

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

    async readBack(session, print, record) {
      const seen = await readClaims(session);
      if (!seen.ok) return { kind: "sign_in" };
      const found = matchOwn(seen.value.claims, print, record, ownClaims);
      if (found.kind !== "none") return found;
      const { draft } = print;
      // A list without the claim is only half of it: what was begun and not sent stands there as well (STA-4).
      return draft === undefined || seen.value.notSent.includes(draft)
        ? { kind: "absent" }
        : { kind: "unclear", why: "neither the claim nor what was begun stands there" };
    },
  },
  visits,
);

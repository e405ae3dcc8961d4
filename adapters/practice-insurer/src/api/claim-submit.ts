import { formatMoney, ok, SiteTrouble } from "@countersign/plugin/site";
import { bodyOf, draftedCommit } from "@countersign/route-http";
import { type ClaimOffer, claimTerms, claimWish, type ListedClaim, ownClaims, possible } from "../shared/claim.ts";
import { claimsShape, problemCode, quoteShape, sessionShape, takenShape } from "./shapes.ts";

const CLAIMS = "/api/claims";

/** Claims by the API of the insurer's own app: a quote is the last screen, `POST /api/claims` the commitment. */
export const claimSubmit = draftedCommit<ClaimOffer, ListedClaim>({
  operation: "insurance.claim.submit",
  path: CLAIMS,
  drafts: "/api/claim-quotes",
  draftShape: quoteShape,
  looking: "Asking the insurer what it would pay",
  async request(_ctx, session, { params }, reference) {
    const wish = possible(claimWish(params));
    if (!wish.ok) return wish;
    const { policyRef, incidentOn, currency, description } = wish.value;
    const began = bodyOf(await session.fetch("/api/session"), 200, sessionShape);
    if (!began.ok) return began;
    return ok({
      body: {
        policy: policyRef,
        happened_on: incidentOn,
        claimed: formatMoney({ minor: wish.value.claimedMinor, currency }, "amount"),
        currency,
        description,
        your_reference: reference,
      },
      // Belongs to the session's cookie of this moment.
      headers: { "x-csrf-token": began.value.csrf_token },
      unlike(offer) {
        if (offer.ownReference !== reference) throw new SiteTrouble("the insurer did not keep the reference");
        // The person answers for every word: what the insurer does not keep as it was said is not submitted.
        return offer.description === description ? undefined : "the insurer does not keep the text as it is";
      },
    });
  },
  terms: claimTerms,
  body: (quote) => ({ quote }),
  doneShape: takenShape,
  async list(session, { alike, ownReference }) {
    const query = alike ? "" : `?your_reference=${encodeURIComponent(ownReference)}`;
    return bodyOf(await session.fetch(`${CLAIMS}${query}`), 200, claimsShape);
  },
  ...ownClaims,
  codeOf: problemCode,
  gaps: {
    unknown_policy: "the insurer has no such policy here",
    day_not_covered: "the policy did not run on that day",
    day_to_come: "the day is still to come",
    below_excess: "the amount is not above what the person bears themselves",
    above_limit: "the amount is above what the policy covers",
    invalid_request: "the insurer does not take this claim",
  },
  gone: { quote_expired: "used_or_expired" },
  refusals: {
    claim_refused: [422, "the insurer does not take this claim online"],
    below_excess: [422, "the amount is not above what the person bears themselves any more"],
    day_not_covered: [422, "the policy did not run on that day"],
    quote_expired: [410, "the insurer's quote has run out"],
  },
  recordKind: "claim_confirmation",
});

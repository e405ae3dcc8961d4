import {
  type Attempt,
  assert,
  currencyDigits,
  gap,
  type JsonObject,
  must,
  type Observed,
  type OwnActs,
  ok,
  parseInstant,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { CLOCK_SKEW_MS } from "./limits.ts";

/** What `insurance.claim.submit` asks for, as the catalogue has validated it. */
export interface ClaimWish {
  readonly policyRef: string;
  readonly incidentOn: string;
  readonly claimedMinor: number;
  readonly currency: string;
  readonly description: string;
  readonly documentRefs: readonly string[];
}

export function claimWish(parameters: JsonObject): ClaimWish {
  const { policy_ref: policyRef, incident_on: incidentOn, claimed_minor: claimedMinor, currency } = parameters;
  const { description, document_refs: documentRefs = [] } = parameters;
  assert(typeof policyRef === "string" && typeof incidentOn === "string", "parameters are as the catalogue says");
  assert(typeof claimedMinor === "number" && typeof currency === "string", "parameters are as the catalogue says");
  assert(typeof description === "string" && Array.isArray(documentRefs), "parameters are as the catalogue says");
  return {
    policyRef,
    incidentOn,
    claimedMinor,
    currency,
    // Forms and networks end lines in two ways; what is sent and what is compared is one.
    description: description.replaceAll("\r\n", "\n"),
    documentRefs: documentRefs.map(String),
  };
}

/** What this insurer never takes online, whatever the policy. */
export function possible(wish: ClaimWish): Attempt<ClaimWish> {
  if (wish.documentRefs.length > 0) return gap("the insurer takes no documents with an online claim");
  if (wish.currency !== "GBP") return gap("the insurer takes claims in GBP only");
  return ok(wish);
}

/** The insurer's last screen before a claim, by whichever route it was read. */
export interface ClaimOffer {
  readonly policy: { readonly id: string; readonly name: string; readonly number: string };
  readonly insured: string;
  readonly happenedOn: string;
  readonly description: string;
  readonly ownReference: string;
  readonly currency: string;
  readonly claimedMinor: number;
  readonly excessMinor: number;
  readonly paidTo: string;
  readonly declaration: string;
}

/** The terms of `insurance.claim.submit` as the insurer shows them; what happened and to whom is personal text. */
export function claimTerms(origin: string, offer: ClaimOffer): Observed<JsonObject> {
  const { policy, currency } = offer;
  return {
    terms: {
      insurer: new URL(origin).host,
      policy_ref: policy.id,
      policy: `${policy.name} ${policy.number}`,
      incident_on: offer.happenedOn,
      currency,
      minor_digits: must(currencyDigits(currency), "currency"),
      claimed_minor: offer.claimedMinor,
      deductible_minor: offer.excessMinor,
      paid_to: offer.paidTo,
      declaration: offer.declaration,
      documents: [],
    },
    personal: { description: offer.description, insured: offer.insured },
  };
}

export const CLAIM_NUMBER = /^FM-[0-9]{1,12}$/;

/** A claim as the insurer lists it, by either route. */
export interface ListedClaim {
  readonly number: string;
  readonly title: string;
  readonly policyRef: string;
  readonly happenedOn: string;
  readonly submittedOn: string;
  readonly status: "received" | "in_review" | "paid" | "refused";
  readonly statusText: string;
  readonly currency: string;
  readonly claimedMinor: number;
  readonly approvedMinor?: number;
  readonly paidMinor?: number;
  readonly paidOn?: string;
  readonly ownReference: string;
}

/** The insurer's words for the state of a claim, and the catalogue's. */
export const STATUSES: Readonly<Record<string, ListedClaim["status"]>> = {
  Received: "received",
  "Being assessed": "in_review",
  Paid: "paid",
  Declined: "refused",
};

export function claimRow(claim: ListedClaim): JsonObject {
  return {
    claim_ref: claim.number,
    number: claim.number,
    title: claim.title,
    policy_ref: claim.policyRef,
    incident_on: claim.happenedOn,
    submitted_on: claim.submittedOn,
    status: claim.status,
    status_text: claim.statusText,
    currency: claim.currency,
    claimed_minor: claim.claimedMinor,
    ...(claim.approvedMinor === undefined ? {} : { approved_minor: claim.approvedMinor }),
    ...(claim.paidMinor === undefined ? {} : { paid_minor: claim.paidMinor }),
    ...(claim.paidOn === undefined ? {} : { paid_on: claim.paidOn }),
  };
}

/** The claims of one policy, when one was asked for, and no more than were asked for. */
export function claimsResult(claims: readonly ListedClaim[], params: JsonObject): JsonObject {
  const wanted = params["policy_ref"];
  const rows = claims.filter(({ policyRef }) => wanted === undefined || policyRef === wanted);
  return { claims: rows.slice(0, Number(params["limit"])).map(claimRow) };
}

export function confirmationOf(claim: ListedClaim) {
  const { number, currency, claimedMinor } = claim;
  const status = claim.status === "received" || claim.status === "in_review" ? claim.status : "other";
  return {
    confirmation: number,
    result: { claim_ref: number, status, currency, claimed_minor: claimedMinor },
    observed: { currency, claimed_minor: claimedMinor },
  };
}

/** How a claim of the insurer's list is told to be a submission's, by either route. */
export const ownClaims: OwnActs<ListedClaim> = {
  reference: (claim) => claim.ownReference,
  isWanted,
  isAlike(claim, record) {
    const created = parseInstant(record.created_at);
    const since = created.ok ? new Date(created.value - CLOCK_SKEW_MS).toISOString().slice(0, 10) : "";
    return claim.submittedOn >= since && isWanted(claim, record);
  },
  confirmation: confirmationOf,
};

function isWanted(claim: ListedClaim, record: ActionRecord): boolean {
  const wish = claimWish(record.parameters as JsonObject);
  return (
    claim.policyRef === wish.policyRef &&
    claim.happenedOn === wish.incidentOn &&
    claim.claimedMinor === wish.claimedMinor &&
    claim.currency === wish.currency
  );
}

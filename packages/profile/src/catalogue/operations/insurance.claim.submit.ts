import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { CURRENCY_FIELDS, disagreements } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { calendarDate, currency, hostName, inCurrency, minor, reference, siteText } from "../shapes.ts";

const DOCUMENTS_MAX = 20;
const DESCRIPTION_CHARS_MAX = 2000;
const description = siteText.max(DESCRIPTION_CHARS_MAX);

const parameters = z.strictObject({
  policy_ref: reference,
  incident_on: calendarDate,
  claimed_minor: minor.min(1),
  currency,
  /** What happened; the person answers for every word of it. */
  description,
  /** Documents that already lie at the insurer, by its own names for them. */
  document_refs: z.array(reference).max(DOCUMENTS_MAX).default([]),
});

const terms = z.strictObject({
  insurer: hostName,
  policy_ref: reference,
  policy: siteText,
  incident_on: calendarDate,
  ...inCurrency,
  claimed_minor: minor.min(1),
  /** What the person bears of it, where the insurer says so. */
  deductible_minor: minor.exactOptional(),
  paid_to: siteText.exactOptional(),
  /** What the person declares by submitting, in the insurer's own words. */
  declaration: siteText.exactOptional(),
  documents: z.array(z.strictObject({ ref: reference, title: siteText })).max(DOCUMENTS_MAX),
});

const meaning: TermsMeaning = {
  question: "Make this claim?",
  affirm: "Approve and submit",
  receipt: ["insurer", "policy_ref", "incident_on", "currency", "minor_digits", "claimed_minor"],
  fields: [
    { member: "claimed_minor", label: "Claimed", compare: "equal", show: "money", place: 1 },
    { member: "insurer", label: "At", compare: "equal", show: "host", place: 2 },
    { member: "policy", label: "Policy", compare: "equal", show: "text", place: 3 },
    { member: "incident_on", label: "Happened on", compare: "equal", show: "date", place: 4 },
    { member: "declaration", label: "What you declare", compare: "equal", show: "text", place: 20 },
    { member: "paid_to", label: "Paid to", compare: "equal", show: "text", place: 21 },
    { member: "deductible_minor", label: "You bear", compare: "equal", show: "money", place: 22 },
    { member: "policy_ref", label: "Policy reference", compare: "equal", show: "reference", place: 119 },
    ...CURRENCY_FIELDS,
  ],
  lists: [
    {
      member: "documents",
      label: "Documents",
      key: ["ref"],
      place: 30,
      fields: [{ member: "title", label: "Document", compare: "equal", show: "text", place: 1 }],
    },
  ],
  personal: [
    { name: "description", label: "What happened", place: 5 },
    { name: "insured", label: "For", place: 6 },
  ],
};

/** Tells an insurer what happened and asks to be paid for it: a declaration, made in the person's name. */
export const insuranceClaimSubmit: CommitOperation = {
  id: "insurance.claim.submit",
  title: "Make an insurance claim",
  about:
    "Submits one claim under a policy. No money leaves by it; what it says is a declaration in the person's name, so they see all of it, word for word, as the insurer will receive it. Documents have to lie at the insurer already.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "session",
  personalData: ["parameters/description"],
  parameters,
  terms,
  result: z.object({
    claim_ref: siteText,
    status: z.enum(["received", "in_review", "other"]),
    currency,
    claimed_minor: minor,
  }),
  meaning,
  limits: {
    amount: "none",
    payee: { termsMember: "insurer" },
    items: { requestMember: "policy_ref", termsMember: "policy_ref" },
  },
  readBack: {
    where:
      "The list of claims: one that was not there before the submission, with this policy, day and amount. Two such claims leave it unknown.",
    terms: ["policy_ref", "incident_on", "claimed_minor", "currency"],
    listedBy: "insurance.claims.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const want = parameters.parse(asked);
    const seen = terms.parse(observed);
    const found = disagreements(meaning, ["policy_ref", "incident_on", "claimed_minor", "currency"], want, seen);
    const named = [...want.document_refs].sort().join(" ");
    const shown = seen.documents
      .map(({ ref }) => ref)
      .sort()
      .join(" ");
    if (named !== shown) found.push("documents");
    if (seen.deductible_minor !== undefined && seen.deductible_minor > seen.claimed_minor)
      found.push("deductible_minor");
    return found;
  },
  example: {
    parameters: {
      policy_ref: "pol_3",
      incident_on: "2026-11-14",
      claimed_minor: 84_000,
      currency: "EUR",
      description: "A pipe under the sink burst and the floor of the kitchen has to be replaced.",
      document_refs: ["doc_81"],
    },
    terms: {
      insurer: "insurer.example",
      policy_ref: "pol_3",
      policy: "Home contents",
      incident_on: "2026-11-14",
      currency: "EUR",
      minor_digits: 2,
      claimed_minor: 84_000,
      deductible_minor: 15_000,
      paid_to: "account ending 3000",
      declaration: "What I say here is complete and true.",
      documents: [{ ref: "doc_81", title: "Plumber's invoice" }],
    },
    result: { claim_ref: "C-2026-0419", status: "received", currency: "EUR", claimed_minor: 84_000 },
  },
};

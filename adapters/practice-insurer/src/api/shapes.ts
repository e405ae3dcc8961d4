import { type Json, must, parseInstant, readAmount, SiteTrouble } from "@countersign/plugin/site";
import type { Draft } from "@countersign/route-http";
import { z } from "zod";
import { CLAIM_NUMBER, type ClaimOffer, type ListedClaim } from "../shared/claim.ts";

// What the insurer's API answers, as far as it is used. Anything else is trouble, never a guess.

const text = z.string().min(1);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((each) => parseInstant(`${each}T00:00:00Z`).ok);
const instant = z.string().refine((each) => parseInstant(each).ok);
/** The one currency that this insurer insures in. */
const currency = z.literal("GBP");
/** `"1374.00"`; the currency stands once beside all of them. */
const figures = z.string().regex(/^(?:0|[1-9]\d{0,11})\.\d{2}$/);

/** @throws SiteTrouble for an amount that its currency does not have. */
function minorOf(amount: string, code: string): number {
  return must(readAmount(amount, { currency: code, locale: "en" }), "amount").minor;
}

export const sessionShape = z.object({
  member: z.object({ name: text, number: z.string().regex(/^[0-9-]{4,20}$/) }),
  csrf_token: z.string().regex(/^[\w-]{20,100}$/),
});

export const policiesShape = z
  .object({
    policies: z.array(
      z.object({
        id: text,
        number: text,
        name: text,
        type: z.enum(["home", "car"]),
        insured: text,
        cover_from: day,
        cover_to: day,
        currency,
        premium: z.object({ amount: figures, per: z.enum(["month", "year"]) }),
        excess: figures,
        covers: z.array(
          z.object({
            title: text,
            limit: figures,
            used: figures,
            pays_percent: z.int().min(0).max(100),
            note: z.string(),
          }),
        ),
      }),
    ),
  })
  .transform(({ policies }) =>
    policies.map(({ premium, excess, covers, ...policy }) => ({
      ...policy,
      premiumMinor: minorOf(premium.amount, policy.currency),
      premiumPer: premium.per,
      excessMinor: minorOf(excess, policy.currency),
      covers: covers.map((cover) => ({
        title: cover.title,
        limitMinor: minorOf(cover.limit, policy.currency),
        usedMinor: minorOf(cover.used, policy.currency),
        percent: cover.pays_percent,
        note: cover.note,
      })),
    })),
  );

export const quoteShape = z
  .object({
    quote: z.string().regex(/^cq_[\w-]{10,100}$/),
    policy: z.object({ id: text, name: text, number: text }),
    insured: text,
    happened_on: day,
    description: text,
    your_reference: z.string(),
    currency,
    claimed: figures,
    excess: figures,
    expected_payout: figures,
    paid_to: text,
    declaration: text,
  })
  .transform((said): Draft<ClaimOffer> => {
    const [claimedMinor, excessMinor, payoutMinor] = [said.claimed, said.excess, said.expected_payout].map((each) =>
      minorOf(each, said.currency),
    ) as [number, number, number];
    // What is paid stands in no term: it has to follow from those that are approved.
    if (claimedMinor - excessMinor !== payoutMinor) throw new SiteTrouble("the insurer's figures do not add up");
    return {
      id: said.quote,
      offer: {
        policy: said.policy,
        insured: said.insured,
        happenedOn: said.happened_on,
        description: said.description,
        ownReference: said.your_reference,
        currency: said.currency,
        claimedMinor,
        excessMinor,
        paidTo: said.paid_to,
        declaration: said.declaration,
      },
    };
  });

const STATES = {
  received: ["received", "Received"],
  being_assessed: ["in_review", "Being assessed"],
  paid: ["paid", "Paid"],
  declined: ["refused", "Declined"],
} as const;

export const claimShape = z
  .object({
    number: z.string().regex(CLAIM_NUMBER),
    title: text,
    policy: text,
    happened_on: day,
    submitted_on: day,
    submitted_at: instant,
    status: z.enum(["received", "being_assessed", "paid", "declined"]),
    currency,
    claimed: figures,
    approved: figures.exactOptional(),
    paid: figures.exactOptional(),
    paid_on: day.exactOptional(),
    your_reference: z.string(),
  })
  .transform((said): ListedClaim => {
    const [status, statusText] = STATES[said.status];
    return {
      number: said.number,
      title: said.title,
      policyRef: said.policy,
      happenedOn: said.happened_on,
      submittedOn: said.submitted_on,
      status,
      statusText,
      currency: said.currency,
      claimedMinor: minorOf(said.claimed, said.currency),
      ...(said.approved === undefined ? {} : { approvedMinor: minorOf(said.approved, said.currency) }),
      ...(said.paid === undefined ? {} : { paidMinor: minorOf(said.paid, said.currency) }),
      ...(said.paid_on === undefined ? {} : { paidOn: said.paid_on }),
      ownReference: said.your_reference,
    };
  });
export const claimsShape = z.object({ claims: z.array(claimShape) }).transform(({ claims }) => claims);
export const takenShape = z.object({ claim: claimShape }).transform(({ claim }) => claim);

const problemShape = z.object({ error: z.object({ code: z.string().regex(/^[a-z_]+$/) }) });

/** The code of one of the insurer's own refusals. */
export function problemCode(json: Json | undefined): string | undefined {
  const parsed = problemShape.safeParse(json);
  return parsed.success ? parsed.data.error.code : undefined;
}

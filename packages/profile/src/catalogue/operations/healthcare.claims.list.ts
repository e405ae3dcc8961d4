import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { claim, rowLimit } from "../shapes.ts";

/** What was passed on to health insurance, and how it stands. */
export const healthcareClaimsList: ReadOperation = {
  id: "healthcare.claims.list",
  title: "List medical claims",
  about:
    "The claims for treatment that the clinic or the health plan lists, newest first, with what was claimed, approved and paid. What was treated is health data: it is marked as personal and stays out of logs and receipts.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: [
    "result/claims/*/person",
    "result/claims/*/provider",
    "result/claims/*/title",
    "result/claims/*/status_text",
  ],
  parameters: z.strictObject({ limit: rowLimit }),
  result: z.object({ claims: z.array(claim).max(ROWS_MAX) }),
  example: {
    parameters: { limit: 10 },
    result: {
      claims: [
        {
          claim_ref: "mc_9",
          title: "Check-up on 2 November",
          provider: "Practice at the park",
          submitted_on: "2026-11-10",
          status: "part_approved",
          currency: "EUR",
          claimed_minor: 6400,
          approved_minor: 5100,
        },
      ],
    },
  },
};

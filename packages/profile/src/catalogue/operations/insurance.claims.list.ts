import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { claim, reference, rowLimit } from "../shapes.ts";

/** The claims at an insurer and how they stand. */
export const insuranceClaimsList: ReadOperation = {
  id: "insurance.claims.list",
  title: "List insurance claims",
  about:
    "The claims that were made at this insurer, newest first, with what was claimed, approved and paid. Documents are not fetched.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: ["result/claims/*/person", "result/claims/*/title"],
  parameters: z.strictObject({ policy_ref: reference.exactOptional(), limit: rowLimit }),
  result: z.object({ claims: z.array(claim).max(ROWS_MAX) }),
  example: {
    parameters: { policy_ref: "pol_3", limit: 10 },
    result: {
      claims: [
        {
          claim_ref: "cl_55",
          number: "C-2026-0419",
          title: "Burst pipe in the kitchen",
          policy_ref: "pol_3",
          incident_on: "2026-11-14",
          submitted_on: "2026-11-16",
          status: "in_review",
          currency: "EUR",
          claimed_minor: 84_000,
        },
      ],
    },
  },
};

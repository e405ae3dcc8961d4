import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { bill, rowLimit, siteText } from "../shapes.ts";

/** What the clinic has billed. */
export const healthcareBillsList: ReadOperation = {
  id: "healthcare.bills.list",
  title: "List medical bills",
  about:
    "The clinic's bills, newest first, with what is still to be paid of each. What was done is health data: it is marked as personal and stays out of logs and receipts.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: ["result/bills/*/patient", "result/bills/*/title"],
  parameters: z.strictObject({ only: z.enum(["all", "to_pay"]).default("all"), limit: rowLimit }),
  result: z.object({ bills: z.array(bill.extend({ patient: siteText.exactOptional() })).max(ROWS_MAX) }),
  example: {
    parameters: { only: "all", limit: 10 },
    result: {
      bills: [
        {
          bill_ref: "mb_12",
          number: "R-3391",
          title: "Check-up on 2 November",
          issued_on: "2026-11-09",
          due_on: "2026-12-09",
          currency: "EUR",
          total_minor: 6400,
          open_minor: 6400,
          status: "open",
        },
      ],
    },
  },
};

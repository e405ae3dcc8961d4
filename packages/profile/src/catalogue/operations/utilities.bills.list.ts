import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { bill, reference, rowLimit } from "../shapes.ts";

/** What the utility has billed. */
export const utilitiesBillsList: ReadOperation = {
  id: "utilities.bills.list",
  title: "List bills",
  about:
    "The utility's bills, newest first, with what is still to be paid of each. A credit is negative. The bills themselves (a PDF) are not fetched.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({
    contract_ref: reference.exactOptional(),
    only: z.enum(["all", "to_pay"]).default("all"),
    limit: rowLimit,
  }),
  result: z.object({ bills: z.array(bill.extend({ contract_ref: reference.exactOptional() })).max(ROWS_MAX) }),
  example: {
    parameters: { contract_ref: "ct_7", only: "to_pay", limit: 12 },
    result: {
      bills: [
        {
          bill_ref: "bl_2611",
          contract_ref: "ct_7",
          number: "2026-11-00418",
          title: "Electricity, November",
          issued_on: "2026-11-20",
          due_on: "2026-12-10",
          currency: "EUR",
          total_minor: 8640,
          open_minor: 8640,
          status: "open",
        },
      ],
    },
  },
};

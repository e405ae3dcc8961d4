import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { currency, instantText, minor, reference, signedMinor } from "../shapes.ts";

/** What is on the accounts, as the bank says it and as of when. */
export const bankingBalancesList: ReadOperation = {
  id: "banking.balances.list",
  title: "List balances",
  about:
    "What is on one account, or on all of them, as the bank shows it. Amounts below nothing are negative; `available_minor` is what may be spent now. Nothing is converted and nothing is added up.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  parameters: z.strictObject({ bank_account_ref: reference.exactOptional() }),
  result: z.object({
    balances: z
      .array(
        z.object({
          bank_account_ref: reference,
          currency,
          booked_minor: signedMinor,
          available_minor: signedMinor.exactOptional(),
          credit_line_minor: minor.exactOptional(),
          stated_at: instantText.exactOptional(),
        }),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: { bank_account_ref: "ba_1" },
    result: {
      balances: [
        {
          bank_account_ref: "ba_1",
          currency: "EUR",
          booked_minor: 184_233,
          available_minor: 179_243,
          stated_at: "2026-11-30T08:00:00Z",
        },
      ],
    },
  },
};

import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import {
  calendarDate,
  currency,
  dateWindow,
  IN_ORDER,
  inOrder,
  reference,
  rowLimit,
  signedMinor,
  siteText,
} from "../shapes.ts";

/** What came and went on one account. */
export const bankingTransactionsList: ReadOperation = {
  id: "banking.transactions.list",
  title: "List transactions",
  about:
    "What came and went on one account, newest first: money that leaves is negative. `more` says that the bank has others beyond the limit or the days asked for.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: ["result/transactions/*/counterparty", "result/transactions/*/text"],
  parameters: z.strictObject({ bank_account_ref: reference, ...dateWindow, limit: rowLimit }).refine(inOrder, IN_ORDER),
  result: z.object({
    bank_account_ref: reference,
    currency,
    transactions: z
      .array(
        z.object({
          transaction_ref: reference,
          booked_on: calendarDate.exactOptional(),
          value_on: calendarDate.exactOptional(),
          counterparty: siteText.exactOptional(),
          text: siteText.exactOptional(),
          amount_minor: signedMinor,
          /** On the account after it, where the bank says so. */
          balance_minor: signedMinor.exactOptional(),
          pending: z.boolean(),
        }),
      )
      .max(ROWS_MAX),
    more: z.boolean(),
  }),
  example: {
    parameters: { bank_account_ref: "ba_1", from: "2026-11-01", to: "2026-11-30", limit: 50 },
    result: {
      bank_account_ref: "ba_1",
      currency: "EUR",
      transactions: [
        {
          transaction_ref: "tx_9021",
          booked_on: "2026-11-28",
          counterparty: "City Power",
          text: "Bill 2026-11",
          amount_minor: -8640,
          balance_minor: 184_233,
          pending: false,
        },
      ],
      more: false,
    },
  },
};

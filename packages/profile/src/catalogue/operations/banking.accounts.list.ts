import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { currency, ending, reference, siteText } from "../shapes.ts";

/** The bank accounts and cards under one sign-in. */
export const bankingAccountsList: ReadOperation = {
  id: "banking.accounts.list",
  title: "List bank accounts",
  about:
    "The accounts and cards under this sign-in, each with a reference for the other banking operations. Of a number only its last characters are given.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: ["result/accounts/*/holder"],
  parameters: z.strictObject({}),
  result: z.object({
    accounts: z
      .array(
        z.object({
          bank_account_ref: reference,
          name: siteText,
          kind: z.enum(["current", "savings", "card", "loan", "investment", "other"]),
          number_ending: ending.exactOptional(),
          holder: siteText.exactOptional(),
          currency,
        }),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: {},
    result: {
      accounts: [
        { bank_account_ref: "ba_1", name: "Everyday", kind: "current", number_ending: "3000", currency: "EUR" },
        { bank_account_ref: "ba_2", name: "Rainy days", kind: "savings", number_ending: "3018", currency: "EUR" },
      ],
    },
  },
};

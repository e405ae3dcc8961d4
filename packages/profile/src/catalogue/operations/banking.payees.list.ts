import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { currency, ending, reference, siteText } from "../shapes.ts";

/** Whom the person has saved at the bank. */
export const bankingPayeesList: ReadOperation = {
  id: "banking.payees.list",
  title: "List payees",
  about:
    "The payees that the account holder has saved at the bank. A transfer goes to one of them by its reference: an agent can name no account number of its own, and no payee is added here.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: ["result/payees/*/name"],
  parameters: z.strictObject({}),
  result: z.object({
    payees: z
      .array(
        z.object({
          payee_ref: reference,
          name: siteText,
          number_ending: ending.exactOptional(),
          bank: siteText.exactOptional(),
          currency: currency.exactOptional(),
        }),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: {},
    result: {
      payees: [{ payee_ref: "py_12", name: "Jo Example", number_ending: "0130", bank: "Second Bank", currency: "EUR" }],
    },
  },
};

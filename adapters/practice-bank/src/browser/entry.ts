import type { BrowserSite } from "@countersign/route-browser";
import { identityOf } from "../shared/identity.ts";
import { accountsList, balancesList, readAccounts } from "./accounts.ts";
import { transactionsList } from "./transactions.ts";
import { transferSubmit } from "./transfer-submit.ts";

/** The practice bank through its pages. */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/login?next=/accounts" },
  async identify(_ctx, session) {
    const seen = await readAccounts(session);
    return seen.ok ? identityOf(seen.value.holder, seen.value.customerNumber) : undefined;
  },
  operations: [accountsList, balancesList, transactionsList, transferSubmit],
};

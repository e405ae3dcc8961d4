import type { BankRoute } from "../route.ts";
import { listAccounts, listBalances, listPayees, listRewards, listTransactions, showMe } from "./accounts.ts";
import { listTransfers, makeTransferQuote, showTransfer, showTransferQuote, submitTransfer } from "./transfers.ts";

const V1 = "/api/v1";
const signedIn = { access: "signed_in" } as const;
const readBack = { access: "signed_in", readBack: "read_back" } as const;

/** What programs get that the person has let in. */
export const bankApiRoutes: readonly BankRoute[] = [
  { method: "GET", path: `${V1}/me`, ...signedIn, handle: showMe },
  { method: "GET", path: `${V1}/accounts`, ...signedIn, handle: listAccounts },
  { method: "GET", path: `${V1}/balances`, ...signedIn, handle: listBalances },
  { method: "GET", path: `${V1}/accounts/:account/transactions`, ...signedIn, handle: listTransactions },
  { method: "GET", path: `${V1}/payees`, ...signedIn, handle: listPayees },
  { method: "GET", path: `${V1}/rewards`, ...signedIn, handle: listRewards },
  { method: "POST", path: `${V1}/transfer-quotes`, ...signedIn, handle: makeTransferQuote },
  { method: "GET", path: `${V1}/transfer-quotes/:quote`, ...signedIn, handle: showTransferQuote },
  { method: "POST", path: `${V1}/transfers`, ...signedIn, commit: "transfer", handle: submitTransfer },
  { method: "GET", path: `${V1}/transfers`, ...readBack, handle: listTransfers },
  { method: "GET", path: `${V1}/transfers/:number`, ...readBack, handle: showTransfer },
];

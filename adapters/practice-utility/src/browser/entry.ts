import type { BrowserSite } from "@countersign/route-browser";
import { autopaySet } from "./autopay-set.ts";
import { billPay } from "./bill-pay.ts";
import { billsList, usageList, whose } from "./reads.ts";

/** The practice utility through its views. A plan is changed by the API alone: the pages only show what is on offer. */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/sign-in?next=/settings" },
  identify: (_ctx, session) => whose(session),
  operations: [usageList, billsList, billPay, autopaySet],
};

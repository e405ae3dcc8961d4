import type { AdapterCheck } from "@countersign/adapter-kit";
import { examplePower } from "./src/index.ts";
import { openSite } from "./test/site.ts";

/** What `countersign adapter check` runs: the site to try the adapter at, and what is wished of each operation. */
export const check: AdapterCheck = {
  site: examplePower,
  route: "http",
  open: async () => openSite(),
  operations: [
    { operation: "utilities.bills.list", params: { only: "all", limit: 12 } },
    {
      operation: "utilities.bill.pay",
      params: { bill_ref: "bl_2611", max_total_minor: 120_000, currency: "EUR" },
      /** Another payment, so that the check sees whether one is taken for the other. */
      other: { bill_ref: "bl_2610", max_total_minor: 9_000, currency: "EUR" },
    },
  ],
};

import type { BrowserSite } from "@countersign/route-browser";
import { identityOf } from "../shared/identity.ts";
import { claimSubmit } from "./claim-submit.ts";
import { claimsList } from "./claims.ts";
import { coverageList, readCover } from "./cover.ts";

/** The practice insurer through its pages, and the claims company's frame in them. */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/sign-in?next=/cover" },
  async identify(_ctx, session) {
    const seen = await readCover(session);
    return seen.ok ? identityOf(seen.value.holder, seen.value.memberNumber) : undefined;
  },
  operations: [coverageList, claimsList, claimSubmit],
};

import { type Attempt, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession, BrowserSite } from "@countersign/route-browser";
import { identityOf } from "../shared/identity.ts";
import { subscriptionCancel } from "./cancel.ts";
import { factOf, look, visits } from "./page-text.ts";
import { planChange } from "./plan-change.ts";
import { chargesList } from "./subscriptions.ts";

interface Holder {
  readonly name: string;
  readonly login: string;
}

function readHolder(session: BrowserSession): Promise<Attempt<Holder>> {
  return visits.visit(session, "/account", async (page) => {
    const seen = await look(page);
    visits.expectHeading(seen.heading, "Your account");
    const login = factOf(seen.facts, "You sign in with");
    if (!/^[^\s@]+@[^\s@]+$/.test(login)) throw new SiteTrouble("the service does not say whose account this is");
    return ok({ name: factOf(seen.facts, "Name"), login });
  });
}

/** The practice subscription service through its pages. */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/sign-in?next=/account" },
  async identify(_ctx, session) {
    const seen = await readHolder(session);
    return seen.ok ? identityOf(seen.value.name, seen.value.login) : undefined;
  },
  operations: [chargesList, subscriptionCancel, planChange],
};

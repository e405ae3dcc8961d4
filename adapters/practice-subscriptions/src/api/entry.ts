import { bodyOf, type HttpSite } from "@countersign/route-http";
import { identityOf } from "../shared/identity.ts";
import { addressChange, contactChange } from "./account.ts";
import { accountShape } from "./shapes.ts";
import { signIn } from "./sign-in.ts";
import { chargesList, planChange, subscriptionCancel } from "./subscriptions.ts";

/** The practice subscription service by its API. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn,
  async identify(_ctx, session) {
    const account = bodyOf(await session.fetch("/api/v2/account"), 200, accountShape);
    return account.ok ? identityOf(account.value.name, account.value.login) : undefined;
  },
  operations: [chargesList, subscriptionCancel, planChange, addressChange, contactChange],
};

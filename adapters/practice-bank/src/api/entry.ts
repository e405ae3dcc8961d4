import type { HttpSite } from "@countersign/route-http";
import { identityOf } from "../shared/identity.ts";
import { accountsList, balancesList, payeesList, rewardsList, transactionsList } from "./reads.ts";
import { bodyOf, meShape } from "./shapes.ts";
import { transferSubmit } from "./transfer-submit.ts";

/** The practice bank by its API: the person lets the gateway in at the bank's own pages, with password and code there. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn: {
    kind: "oauth",
    clientId: "countersign-practice",
    authorizePath: "/oauth/authorize",
    tokenPath: "/oauth/token",
    scope: "accounts transfers",
  },
  async identify(_ctx, session) {
    const me = bodyOf(await session.fetch("/api/v1/me"), 200, meShape);
    return me.ok ? identityOf(me.value.name, me.value.customer_number) : undefined;
  },
  operations: [accountsList, balancesList, transactionsList, payeesList, rewardsList, transferSubmit],
};

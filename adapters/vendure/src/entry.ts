import type { AccountIdentity } from "@countersign/plugin";
import type { HttpSite } from "@countersign/route-http";
import { addressText } from "./address.ts";
import { ask } from "./ask.ts";
import { CUSTOMER } from "./documents.ts";
import { itemGet } from "./item-get.ts";
import { orderSubmit } from "./order-submit.ts";
import { ordersList } from "./orders-list.ts";
import { type Customer, customerShape } from "./shapes.ts";
import { signIn } from "./sign-in.ts";

/** A Vendure shop by its Shop API: the person's e-mail and password, and the session token that comes of it. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn,
  async identify(_ctx, session) {
    const { activeCustomer } = await ask(session, CUSTOMER, {}, customerShape);
    return activeCustomer === null ? undefined : identityOf(activeCustomer);
  },
  operations: [ordersList, itemGet, orderSubmit],
};

function identityOf(customer: Customer): AccountIdentity {
  const { id, firstName, lastName, emailAddress, addresses } = customer;
  const [first = "", host = ""] = [emailAddress.slice(0, 1), emailAddress.split("@").at(-1)];
  return {
    name: `${firstName} ${lastName} (${first}…@${host})`,
    key: id,
    details: (addresses ?? []).map((address) => {
      const text = addressText(address);
      return { kind: "fulfillment" as const, siteKey: address.id, label: address.streetLine1, value: { text } };
    }),
  };
}

import { bodyOf, type HttpSite } from "@countersign/route-http";
import { identityOf } from "../shared/identity.ts";
import { autopaySet, billPay, planChange } from "./commits.ts";
import { billsList, usageList } from "./reads.ts";
import { customerShape } from "./shapes.ts";

/** The practice utility by its API: the person makes a key at the provider's settings and gives it to the gateway. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn: {
    kind: "api_key",
    header: "x-northlight-key",
    label: "API key, made at Northlight under Settings",
    form: {
      pattern: /nle_[A-Za-z0-9_-]{43}/,
      rule: "A Northlight key begins with nle_ and has 43 letters, digits, hyphens or underscores after it.",
    },
  },
  async identify(_ctx, session) {
    const customer = bodyOf(await session.fetch("/api/customer"), 200, customerShape);
    if (!customer.ok) return undefined;
    const { name, customer_number: number, payment_methods: methods } = customer.value;
    return identityOf(name, number, methods);
  },
  operations: [usageList, billsList, billPay, planChange, autopaySet],
};

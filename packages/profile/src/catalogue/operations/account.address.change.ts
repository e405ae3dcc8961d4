import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { disagreements } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { calendarDate, hostName, reference, siteText } from "../shapes.ts";

const use = z.enum(["home", "delivery", "billing", "all"]);

const parameters = z.strictObject({
  /** Which of the account's addresses is changed. */
  address_use: use,
  /** The new one, as one of the account's references of kind `address`: the person has entered it, no agent can write it. */
  address_ref: reference,
  starts_on: calendarDate.exactOptional(),
});

const terms = z.strictObject({
  site: hostName,
  address_use: use,
  address_ref: reference,
  starts_on: calendarDate.exactOptional(),
  /** What else it changes (running orders, a tax, a contract's place), in the site's own words. */
  consequence: siteText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Change this address?",
  affirm: "Approve the change",
  receipt: ["site", "address_use", "address_ref", "starts_on"],
  fields: [
    { member: "site", label: "At", compare: "equal", show: "host", place: 1 },
    { member: "address_use", label: "Which address", compare: "equal", show: "text", place: 2 },
    { member: "starts_on", label: "From", compare: "equal", show: "date", place: 5 },
    { member: "consequence", label: "What the site says", compare: "equal", show: "text", place: 20 },
    { member: "address_ref", label: "Address reference", compare: "equal", show: "reference", place: 119 },
  ],
  lists: [],
  personal: [
    { name: "new_address", label: "New address", place: 3 },
    { name: "present_address", label: "Address until now", place: 4 },
  ],
};

/** Where a site sends things and letters from now on. */
export const accountAddressChange: CommitOperation = {
  id: "account.address.change",
  title: "Change an address",
  about:
    "Replaces an address that the site keeps by one that the account holder has entered at the gateway. The agent names it by a reference of kind `address` (for an address of use `delivery`, of kind `fulfillment` as well) and learns neither the old nor the new one; the person sees both in full, and the record keeps neither.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "session",
  parameters,
  terms,
  result: z.object({ address_use: use, address_ref: reference, starts_on: calendarDate.exactOptional() }),
  meaning,
  limits: { payee: { termsMember: "site" }, items: { requestMember: "address_ref", termsMember: "address_ref" } },
  readBack: {
    where: "The account's own page, where the address of this use now reads as the approved one.",
    terms: ["address_use", "address_ref"],
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const repeated = ["address_use", "address_ref", "starts_on"];
    return disagreements(meaning, repeated, parameters.parse(asked), terms.parse(observed));
  },
  example: {
    parameters: { address_use: "delivery", address_ref: "ad_2" },
    terms: {
      site: "shop.example",
      address_use: "delivery",
      address_ref: "ad_2",
      consequence: "Orders that are on their way still go to the address until now.",
    },
    result: { address_use: "delivery", address_ref: "ad_2" },
  },
};

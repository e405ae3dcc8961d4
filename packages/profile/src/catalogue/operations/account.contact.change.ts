import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { disagreements } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { hostName, reference, siteText } from "../shapes.ts";

const use = z.enum(["email", "phone"]);

const parameters = z.strictObject({
  contact_use: use,
  /** The new one, as one of the account's references of kind `contact`: the person has entered it, no agent can write it. */
  contact_ref: reference,
});

const terms = z.strictObject({
  site: hostName,
  contact_use: use,
  contact_ref: reference,
  /** Whether the site sends sign-in codes or new passwords there. */
  opens_account: z.enum(["yes", "no", "the site does not say"]),
  consequence: siteText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Change how this site reaches you?",
  affirm: "Approve the change",
  receipt: ["site", "contact_use", "contact_ref"],
  fields: [
    { member: "site", label: "At", compare: "equal", show: "host", place: 1 },
    { member: "contact_use", label: "What is changed", compare: "equal", show: "text", place: 2 },
    {
      member: "opens_account",
      label: "Whoever reads it can sign in as you",
      compare: "equal",
      show: "text",
      place: 5,
    },
    { member: "consequence", label: "What the site says", compare: "equal", show: "text", place: 20 },
    { member: "contact_ref", label: "Contact reference", compare: "equal", show: "reference", place: 119 },
  ],
  lists: [],
  personal: [
    { name: "new_contact", label: "New", place: 3 },
    { name: "present_contact", label: "Until now", place: 4 },
  ],
};

/** Where a site's messages go, and often its sign-in codes: whoever reads them has the account. Hence a passkey. */
export const accountContactChange: CommitOperation = {
  id: "account.contact.change",
  title: "Change a contact",
  about:
    "Replaces the e-mail address or the telephone number that a site keeps by one that the account holder has entered at the gateway. Sign-in codes and new passwords often go there: whoever reads them has the account. So it takes a passkey, and no grant can ask for less. The reference is one of kind `contact` and of the same use. What the site sends to confirm it (a code, a link) is for the person to answer.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  parameters,
  terms,
  result: z.object({ contact_use: use, contact_ref: reference, status: z.enum(["changed", "to be confirmed"]) }),
  meaning,
  limits: { payee: { termsMember: "site" }, items: { requestMember: "contact_ref", termsMember: "contact_ref" } },
  readBack: {
    where:
      "The account's own page, where the contact of this use now reads as the approved one, or waits to be confirmed.",
    terms: ["contact_use", "contact_ref"],
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    return disagreements(meaning, ["contact_use", "contact_ref"], parameters.parse(asked), terms.parse(observed));
  },
  example: {
    parameters: { contact_use: "email", contact_ref: "co_5" },
    terms: { site: "shop.example", contact_use: "email", contact_ref: "co_5", opens_account: "yes" },
    result: { contact_use: "email", contact_ref: "co_5", status: "to be confirmed" },
  },
};

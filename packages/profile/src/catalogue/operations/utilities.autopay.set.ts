import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { disagreements } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { calendarDate, hostName, reference, siteText } from "../shapes.ts";

const setting = z.enum(["on", "off"]);

const parameters = z
  .strictObject({
    contract_ref: reference,
    autopay: setting,
    /** What is charged from now on, as one of the account's references; only for `on`. */
    instrument_ref: reference.exactOptional(),
  })
  .refine((asked) => asked.autopay === "on" || asked.instrument_ref === undefined, "only `on` takes an instrument");

const terms = z.strictObject({
  provider: hostName,
  contract_ref: reference,
  contract: siteText,
  autopay: setting,
  present_autopay: setting,
  instrument: siteText.exactOptional(),
  instrument_ref: reference.exactOptional(),
  /** When it is charged, in the site's own words. */
  charged: siteText.exactOptional(),
  first_on: calendarDate.exactOptional(),
  /** What the person signs: the mandate's or the site's own words. */
  mandate: siteText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Change how bills are paid?",
  affirm: "Approve the change",
  receipt: ["provider", "contract_ref", "autopay", "first_on"],
  fields: [
    { member: "autopay", label: "Bills are paid by themselves", compare: "equal", show: "text", place: 1 },
    { member: "provider", label: "At", compare: "equal", show: "host", place: 2 },
    { member: "contract", label: "Contract", compare: "equal", show: "text", place: 3 },
    { member: "instrument", label: "Charged to", compare: "equal", show: "text", place: 4 },
    { member: "charged", label: "When it is charged", compare: "equal", show: "text", place: 5 },
    { member: "first_on", label: "For the first time on", compare: "equal", show: "date", place: 6 },
    { member: "present_autopay", label: "Until now", compare: "equal", show: "text", place: 7 },
    { member: "mandate", label: "What you agree to", compare: "equal", show: "text", place: 20 },
    { member: "contract_ref", label: "Contract reference", compare: "equal", show: "reference", place: 118 },
    { member: "instrument_ref", label: "Payment reference", compare: "equal", show: "reference", place: 119 },
  ],
  lists: [],
  personal: [],
};

/** Bills that pay themselves from now on, or that do so no more. */
export const utilitiesAutopaySet: CommitOperation = {
  id: "utilities.autopay.set",
  title: "Set automatic payment",
  about:
    "Lets the utility charge its bills by itself from now on, or ends that. What will be charged is not known when it is decided, so a grant that limits money does not cover it. It pays no bill that is open now.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  parameters,
  terms,
  result: z.object({ contract_ref: reference, autopay: setting, first_on: calendarDate.exactOptional() }),
  meaning,
  limits: {
    amount: "open",
    payee: { termsMember: "provider" },
    items: { requestMember: "contract_ref", termsMember: "contract_ref" },
  },
  readBack: {
    where: "The contract's payment settings, shown as approved.",
    terms: ["contract_ref", "autopay", "instrument_ref"],
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const seen = terms.parse(observed);
    const repeated = ["contract_ref", "autopay", "instrument_ref"];
    const found = disagreements(meaning, repeated, parameters.parse(asked), seen);
    if (seen.autopay === "on" && seen.instrument === undefined) found.push("instrument");
    if (seen.autopay === "off" && seen.first_on !== undefined) found.push("first_on");
    // Nothing to decide: what is asked for is so already.
    if (seen.autopay === seen.present_autopay && seen.autopay === "off") found.push("present_autopay");
    return found;
  },
  example: {
    parameters: { contract_ref: "ct_7", autopay: "on", instrument_ref: "pi_4242" },
    terms: {
      provider: "power.example",
      contract_ref: "ct_7",
      contract: "Electricity at home",
      autopay: "on",
      present_autopay: "off",
      instrument: "card ending 4242",
      instrument_ref: "pi_4242",
      charged: "On the day each bill is due",
      first_on: "2026-12-10",
    },
    result: { contract_ref: "ct_7", autopay: "on", first_on: "2026-12-10" },
  },
};

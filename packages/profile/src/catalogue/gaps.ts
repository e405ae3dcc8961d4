/**
 * What the gateway does not have yet that an operation would need to be all it says; printed on its page. An operation
 * with an entry here can be offered by an adapter as far as the entry goes, and no further.
 */
export const GAPS: Readonly<Record<string, string>> = {
  "insurance.claim.submit":
    "A way to bring documents along. A claim can name those that lie at the insurer already; the gateway takes no files.",
  "healthcare.appointment.book":
    "A list of what can be booked. `service_ref` and `practitioner_ref` are the clinic's own names, and no operation of the catalogue lists them.",
  "utilities.plan.change":
    "A list of the plans on offer. `plan_ref` is the provider's own name for a plan, and no operation of the catalogue lists them.",
  "subscription.plan.change":
    "A list of the plans on offer. `plan_ref` is the service's own name for a plan or an offer, and no operation of the catalogue lists them.",
};

/** Why the clinic will not book it, in words for whoever asked. Refs are the clinic's own and name nobody's health. */
export const NO_FREE_TIME = "the clinic has no free time within this window";
export const TAKEN = "this time was taken by somebody else meanwhile";
export const OTHER_CURRENCY = "the clinic bills in another currency";

export function noSuchService(known: readonly string[]): string {
  return `the clinic offers no such service online; service_ref can be ${known.join(", ")}`;
}

export function noSuchPractitioner(known: readonly string[]): string {
  return `the clinic has no such practitioner for this; practitioner_ref can be ${known.join(", ")}`;
}

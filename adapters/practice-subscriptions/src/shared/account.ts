import { type AccountDetail, type Attempt, gap, type JsonObject, type Observed, ok } from "@countersign/plugin/site";

/** What is changed of what the service keeps of the person, in its own words and those of the catalogue. */
export type AccountPart = "billing_address" | "email" | "phone";

/** What a change brings, as the service says it on its last screen. */
export interface AccountOffer {
  readonly changes: AccountPart;
  readonly untilNow: string;
  readonly fromNow: string;
  readonly consequence: string;
  readonly opensAccount?: boolean;
}

function textOf(detail: AccountDetail, member: string): string {
  const value = detail.value[member];
  return typeof value === "string" ? value.trim() : "";
}

/** The address that a reference stands for, as the service's API takes it. */
export function billingOf(detail: AccountDetail | undefined): Attempt<Readonly<Record<string, string>>> {
  if (detail?.kind !== "address") return gap("the reference is no home or billing address of this account");
  const [province, city] = [textOf(detail, "province"), textOf(detail, "city")];
  return ok({
    name: textOf(detail, "full_name"),
    line1: textOf(detail, "address_1"),
    line2: textOf(detail, "address_2"),
    postcode: textOf(detail, "postcode"),
    city: province === "" ? city : `${city}, ${province}`,
    country: textOf(detail, "country"),
  });
}

/** The e-mail address or telephone number that a reference stands for; one of the other kind is not looked at. */
export function contactOf(detail: AccountDetail | undefined, use: unknown): Attempt<Readonly<Record<string, string>>> {
  if (detail?.kind !== "contact") return gap("the reference is no e-mail address or telephone number of this account");
  if (use !== "email" && use !== "phone")
    return gap("the service keeps an e-mail address and a telephone number alone");
  const value = textOf(detail, use);
  if (value === "")
    return gap(use === "email" ? "the reference is no e-mail address" : "the reference is no telephone number");
  return ok({ [use]: value });
}

/** The terms of `account.address.change`; where the person lives, and lived, is personal text. */
export function addressTerms(origin: string, offer: AccountOffer, params: JsonObject): Observed<JsonObject> {
  return {
    terms: {
      site: new URL(origin).host,
      address_use: "billing",
      address_ref: String(params["address_ref"]),
      consequence: offer.consequence,
    },
    personal: { new_address: offer.fromNow, present_address: offer.untilNow },
  };
}

/** The terms of `account.contact.change`. */
export function contactTerms(origin: string, offer: AccountOffer, params: JsonObject): Observed<JsonObject> {
  const opens = offer.opensAccount;
  return {
    terms: {
      site: new URL(origin).host,
      contact_use: offer.changes === "email" ? "email" : "phone",
      contact_ref: String(params["contact_ref"]),
      opens_account: opens === undefined ? "the site does not say" : opens ? "yes" : "no",
      consequence: offer.consequence,
    },
    personal: { new_contact: offer.fromNow, present_contact: offer.untilNow },
  };
}

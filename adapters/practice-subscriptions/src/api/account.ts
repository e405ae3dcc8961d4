import { gap, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { DraftRequest } from "@countersign/route-http";
import {
  type AccountOffer,
  type AccountPart,
  addressTerms,
  billingOf,
  contactOf,
  contactTerms,
} from "../shared/account.ts";
import { lanternCommit } from "./commit.ts";
import { accountChangeShape, accountPreviewShape } from "./shapes.ts";

const PREVIEW = "/api/v2/account/preview";
const LIST = { path: "/api/v2/account/changes", member: "changes" } as const;

type Done = ReturnType<typeof accountChangeShape.parse>;

/** Asks for what the person entered. */
function entered(body: JsonObject, parts: Readonly<Record<string, string>>): DraftRequest<AccountOffer> {
  return {
    path: PREVIEW,
    body,
    unlike(offer) {
      expectEntered(offer, parts);
      return undefined;
    },
  };
}

/**
 * The service must say that it will keep exactly what the person entered: a digit that it drops would be approved
 * unseen. Its one line of an address holds each part.
 */
export function expectEntered(offer: AccountOffer, entered: Readonly<Record<string, string>>): void {
  const parts = Object.values(entered).filter((part) => part !== "");
  const same = parts.length === 1 ? offer.fromNow === parts[0] : parts.every((part) => offer.fromNow.includes(part));
  if (!same) throw new SiteTrouble("the service would keep something else than was entered");
}

const use = (record: ActionRecord): unknown => (record.parameters as Readonly<Record<string, unknown>>)["contact_use"];

export const addressChange = lanternCommit<AccountOffer, Done>({
  operation: "account.address.change",
  path: "/api/v2/account/address",
  listed: LIST,
  looking: "Asking the service what the change brings",
  async preview(ctx, params) {
    if (params["address_use"] !== "billing") return gap("the service keeps a billing address and no other");
    if (params["starts_on"] !== undefined) return gap("the service changes an address at once, not on a day");
    const address = billingOf(await ctx.detail(String(params["address_ref"])));
    return address.ok ? ok(entered({ billing_address: { ...address.value } }, address.value)) : address;
  },
  draftShape: accountPreviewShape,
  terms: addressTerms,
  doneShape: accountChangeShape,
  isWanted: (done) => done.changes === "billing_address",
  confirmation: (done, record) => outcome(done, record, { address_use: "billing" }, "address_ref"),
});

export const contactChange = lanternCommit<AccountOffer, Done>({
  operation: "account.contact.change",
  path: "/api/v2/account/contact",
  listed: LIST,
  looking: "Asking the service what the change brings",
  async preview(ctx, params) {
    const contact = contactOf(await ctx.detail(String(params["contact_ref"])), params["contact_use"]);
    return contact.ok ? ok(entered({ ...contact.value }, contact.value)) : contact;
  },
  draftShape: accountPreviewShape,
  terms: contactTerms,
  doneShape: accountChangeShape,
  isWanted: (done, record) => done.changes === use(record),
  confirmation: (done, record) => {
    const status = done.to_be_confirmed ? "to be confirmed" : "changed";
    return outcome(done, record, { contact_use: done.changes, status }, "contact_ref");
  },
});

function outcome(
  done: Done,
  record: ActionRecord,
  result: Readonly<Record<string, AccountPart | "billing" | "changed" | "to be confirmed">>,
  ref: "address_ref" | "contact_ref",
) {
  const named = String((record.parameters as Readonly<Record<string, unknown>>)[ref]);
  return { confirmation: done.number, result: { ...result, [ref]: named } };
}

import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import { CLAIM_NUMBER, claimsResult, type ListedClaim, STATUSES } from "../shared/claim.ts";
import type { PolicyShown } from "../shared/policy.ts";
import { readCover } from "./cover.ts";
import {
  CURRENCY,
  factOf,
  type Item,
  type Look,
  look,
  onlyKnown,
  printedDay,
  printedMinor,
  said,
  visits,
} from "./page-text.ts";

const FACTS = [
  "Claim number",
  "Policy",
  "Happened on",
  "Sent on",
  "Status",
  "Claimed",
  "Excess",
  "Agreed",
  "Paid",
  "Paid on",
  "Your own reference",
];
const DRAFT = /^Claim (D-[0-9]{1,12})$/;

export interface ShownClaims {
  /** Newest first. */
  readonly claims: readonly ListedClaim[];
  /** The numbers of those that were begun and can be sent still, or have lapsed: none of them was sent. */
  readonly notSent: readonly string[];
}

/** The page of claims; policies are named there and not referred to, so the page of cover is read first. */
export async function readClaims(session: BrowserSession): Promise<Attempt<ShownClaims>> {
  const cover = await readCover(session);
  if (!cover.ok) return cover;
  return visits.visit(session, "/claims", async (page) => ok(claimsOf(await look(page), cover.value.policies)));
}

/** @throws SiteTrouble when the page is not exactly as it should be. */
export function claimsOf(seen: Look, policies: readonly PolicyShown[]): ShownClaims {
  visits.expectHeading(seen.heading, "Your claims");
  const inList = (name: string) => seen.items.filter(({ list }) => list === name);
  const [sent, begun] = [inList("Claims sent"), inList("Claims not sent")];
  if (sent.length + begun.length !== seen.items.length) throw new SiteTrouble("the insurer shows another list");
  return { claims: sent.map((item) => claimOf(item, policies)), notSent: begun.map(draftOf) };
}

function claimOf({ heading: title, facts }: Item, policies: readonly PolicyShown[]): ListedClaim {
  onlyKnown(facts, FACTS);
  const number = factOf(facts, "Claim number");
  const named = factOf(facts, "Policy");
  const policy = policies.find((each) => `${each.name} ${each.number}` === named);
  const statusText = factOf(facts, "Status");
  const status = Object.hasOwn(STATUSES, statusText) ? STATUSES[statusText] : undefined;
  if (policy === undefined || status === undefined || title === "" || !CLAIM_NUMBER.test(number))
    throw new SiteTrouble("the insurer shows a claim that cannot be read");
  const [agreed, paid, paidOn] = ["Agreed", "Paid", "Paid on"].map((term) => said(facts, term));
  return {
    number,
    title,
    policyRef: policy.id,
    happenedOn: printedDay(factOf(facts, "Happened on")),
    submittedOn: printedDay(factOf(facts, "Sent on")),
    status,
    statusText,
    currency: CURRENCY,
    claimedMinor: printedMinor(factOf(facts, "Claimed")),
    ...(agreed === undefined ? {} : { approvedMinor: printedMinor(agreed) }),
    ...(paid === undefined ? {} : { paidMinor: printedMinor(paid) }),
    ...(paidOn === undefined ? {} : { paidOn: printedDay(paidOn) }),
    ownReference: said(facts, "Your own reference") ?? "",
  };
}

function draftOf({ heading, facts }: Item): string {
  const number = DRAFT.exec(heading)?.[1];
  const state = factOf(facts, "State");
  if (number === undefined || (state !== "Not sent" && state !== "Lapsed"))
    throw new SiteTrouble("the insurer shows a claim that cannot be read");
  return number;
}

export const claimsList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "insurance.claims.list",
  async read(_ctx, session, params) {
    const seen = await readClaims(session);
    return seen.ok ? { kind: "done", result: claimsResult(seen.value.claims, params) } : seen.reason;
  },
};

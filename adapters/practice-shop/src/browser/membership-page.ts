import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { ok, parseInstant } from "@countersign/wire";
import { ALREADY_CANCELLED, type Cancellation } from "../shared/membership.ts";
import { type Fact, factOf } from "./orders-page.ts";
import { expectHeading, visit } from "./visit.ts";

export const MEMBERSHIP = "/membership";
export const CONFIRM = "/membership/cancel/confirm";

export interface MembershipLook {
  readonly heading: string;
  readonly status: Omit<Fact, "term">;
  readonly facts: readonly Fact[];
  readonly items: readonly string[];
}

export type MembershipState =
  | { readonly kind: "active" }
  | { readonly kind: "cancelled"; readonly plan: string; readonly endsAt: string; readonly reference: string };

export function readMembership(session: BrowserSession): Promise<Attempt<MembershipState>> {
  return visit(session, MEMBERSHIP, async (page) => ok(membershipOf(await look(page))));
}

/** Goes to the page with the button that cancels; a cancelled membership has none. */
export function onConfirmPage(page: Page): Promise<Attempt<Cancellation>> {
  if (pathOf(page) === MEMBERSHIP) return Promise.resolve(gap(ALREADY_CANCELLED));
  return look(page).then((seen) => ok(cancellationOf(seen)));
}

export function membershipOf(seen: MembershipLook): MembershipState {
  expectHeading(seen.heading, "Your membership");
  if (seen.status.text === "Active") return { kind: "active" };
  if (!seen.status.text.startsWith("Cancelled, ends ") || !parseInstant(seen.status.time).ok)
    throw new SiteTrouble("the shop shows a membership that cannot be read");
  return {
    kind: "cancelled",
    plan: factOf(seen.facts, "Plan").text,
    endsAt: seen.status.time,
    reference: factOf(seen.facts, "Cancellation reference").text,
  };
}

export function cancellationOf(seen: MembershipLook): Cancellation {
  expectHeading(seen.heading, "Confirm your cancellation");
  const endsAt = factOf(seen.facts, "Ends on").time;
  if (!parseInstant(endsAt).ok || seen.items.length === 0)
    throw new SiteTrouble("the shop shows a cancellation that cannot be read");
  return { plan: factOf(seen.facts, "Plan").text, endsAt, consequences: seen.items };
}

function look(page: Page): Promise<MembershipLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const time = (node: Element | null | undefined) => node?.querySelector("time")?.dateTime ?? "";
    const status = document.querySelector('main [role="status"]');
    return {
      heading: text(document.querySelector("main h1")),
      status: { text: text(status), time: time(status) },
      facts: [...document.querySelectorAll("main dl > div")].map((fact) => ({
        term: text(fact.querySelector("dt")),
        text: text(fact.querySelector("dd")),
        time: time(fact),
      })),
      items: [...document.querySelectorAll("main ul > li")].map((item) => text(item)),
    };
  });
}

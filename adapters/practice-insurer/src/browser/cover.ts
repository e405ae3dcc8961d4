import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, type JsonObject, ok, readCount, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import { type PolicyShown, policiesResult } from "../shared/policy.ts";
import {
  CURRENCY,
  factOf,
  type Item,
  type Look,
  look,
  onlyKnown,
  printedDay,
  printedMinor,
  visits,
} from "./page-text.ts";

const HOLDER = /^(.+), member ([0-9-]{4,20})$/;
const FACTS = ["Policy number", "Insured", "Runs from", "Runs until", "Premium", "Excess"];
const COLUMNS = "Cover|Up to|Used|We pay|Note";
const KINDS: Readonly<Record<string, PolicyShown["kind"]>> = { "Home insurance": "home", "Car insurance": "car" };

export interface ShownCover {
  readonly holder: string;
  readonly memberNumber: string;
  readonly policies: readonly PolicyShown[];
}

/** The page of policies. @throws SiteTrouble when it is not exactly as it should be. */
export function readCover(session: BrowserSession): Promise<Attempt<ShownCover>> {
  return visits.visit(session, "/cover", async (page) => ok(coverOf(await look(page))));
}

export function coverOf(seen: Look): ShownCover {
  visits.expectHeading(seen.heading, "Your cover");
  const [, holder, memberNumber] = HOLDER.exec(seen.note) ?? [];
  if (holder === undefined || memberNumber === undefined)
    throw new SiteTrouble("the insurer does not say whose cover this is");
  if (seen.items.length === 0) throw new SiteTrouble("the insurer shows no policy");
  return { holder, memberNumber, policies: seen.items.map(policyOf) };
}

function policyOf(item: Item): PolicyShown {
  const { facts, heading: name } = item;
  onlyKnown(facts, FACTS);
  const id = item.links.flatMap(({ text, href }) =>
    text === "Claim on this policy" ? [/^\/claims\/new\?policy=([\w-]{1,64})$/.exec(href)?.[1]] : [],
  )[0];
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const [, premium = "", per] = /^(£[0-9,.]+) a (month|year)$/.exec(factOf(facts, "Premium")) ?? [];
  const [, excess = ""] = /^(£[0-9,.]+) of each claim$/.exec(factOf(facts, "Excess")) ?? [];
  if (id === undefined || kind === undefined || (per !== "month" && per !== "year"))
    throw new SiteTrouble("the insurer shows a policy that cannot be read");
  if (item.caption !== "What is covered" || item.head.join("|") !== COLUMNS)
    throw new SiteTrouble("the insurer's table has other columns");
  return {
    id,
    number: factOf(facts, "Policy number"),
    name,
    kind,
    insured: factOf(facts, "Insured"),
    startsOn: printedDay(factOf(facts, "Runs from")),
    endsOn: printedDay(factOf(facts, "Runs until")),
    currency: CURRENCY,
    premiumMinor: printedMinor(premium),
    premiumPer: per,
    excessMinor: printedMinor(excess),
    covers: item.rows.map(coverRow),
  };
}

function coverRow(cells: readonly string[]): PolicyShown["covers"][number] {
  const [title = "", limit = "", used = "", pays = "", note = ""] = cells;
  const percent = readCount(pays.replace(/%$/, ""));
  if (cells.length !== 5 || title === "" || !pays.endsWith("%") || !percent.ok || percent.value > 100)
    throw new SiteTrouble("the insurer's table has a row that cannot be read");
  return {
    title,
    limitMinor: printedMinor(limit),
    usedMinor: printedMinor(used),
    percent: percent.value,
    note,
  };
}

export const coverageList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "insurance.coverage.list",
  async read(_ctx, session, params) {
    const seen = await readCover(session);
    return seen.ok ? policiesResult(seen.value.policies, params) : seen.reason;
  },
};

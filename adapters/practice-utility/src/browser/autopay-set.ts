import { parseInstant, SiteTrouble } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { autopaySet as byApi } from "../api/commits.ts";
import { CLOCK_SKEW_MS } from "../shared/limits.ts";
import { type AutopayOffer, autopayTerms, CHANGE_NUMBER, parametersOf, termsOf } from "../shared/terms.ts";
import { autopayBody, type DraftBody } from "../shared/wish.ts";
import { chooseMethod } from "./bill-pay.ts";
import type { FormView } from "./check-view.ts";
import { factOf, type ListView, type Look, printedDay, type Row, shown } from "./view.ts";
import { viewCommit } from "./view-commit.ts";

const LIST: ListView = {
  path: "/contracts",
  heading: "Contracts",
  caption: "Changes",
  columns: ["Change", "Contract", "Made on", "To", "Your reference"],
  older: "Show older changes",
  none: "Nothing was changed yet.",
};
const TERMS = { on: 8, off: 4 } as const;

function settingOf(text: string): "on" | "off" {
  if (text === "on" || text === "off") return text;
  throw new SiteTrouble("the provider's setting cannot be read");
}

/** What the last screen says will be so. @throws SiteTrouble when it is not exactly that. */
export function offerOf(seen: Look, body: DraftBody): AutopayOffer {
  const fact = (term: string) => factOf(seen, term);
  const autopay = settingOf(fact("Bills are paid by themselves"));
  if (autopay !== body["autopay"]) throw new SiteTrouble("the provider shows another change");
  if (seen.facts.length !== TERMS[autopay]) throw new SiteTrouble("the provider's last screen says other things");
  return {
    contractRef: body["contract"] ?? "",
    contract: shown(fact("Contract"), "contract"),
    autopay,
    present: settingOf(fact("Until now")),
    ...(autopay === "off"
      ? {}
      : {
          on: {
            instrument: shown(fact("Charged to"), "way to pay"),
            charged: shown(fact("When it is charged"), "day of the charge"),
            firstOn: printedDay(fact("For the first time on")),
            mandate: shown(fact("You agree"), "agreement"),
          },
        }),
  };
}

const VIEW: FormView<AutopayOffer> = {
  path: (body) => `/contracts/${encodeURIComponent(body["contract"] ?? "")}/autopay`,
  heading: "Automatic payment",
  checkHeading: "Check the change",
  offerOf,
  async fill(page, body) {
    await page.getByLabel("Pay bills by themselves", { exact: true }).selectOption(body["autopay"] ?? "");
    return chooseMethod(page, "Charge to", body["method"]);
  },
};

const ON = /^Automatic payment on, (.+), from ([0-9]{1,2} [A-Z][a-z]+ [0-9]{4})$/;

/** A change of automatic payment; undefined for a change of another kind. */
function changeOf({ cells }: Row) {
  const [number = "", contract = "", made = "", to = ""] = cells;
  if (!CHANGE_NUMBER.test(number)) throw new SiteTrouble("the provider shows a change that cannot be read");
  const madeOn = printedDay(made);
  if (to === "Automatic payment off") return { number, contract, madeOn, autopay: "off" as const };
  const [, instrument, firstOn] = ON.exec(to) ?? [];
  if (instrument === undefined || firstOn === undefined) return undefined;
  return { number, contract, madeOn, autopay: "on" as const, instrument, firstOn: printedDay(firstOn) };
}

/** The day from which a change can be the record's, the provider's clock being behind ours at most. */
function dayBefore(record: ActionRecord): string {
  const created = parseInstant(record.created_at);
  return created.ok ? new Date(created.value - CLOCK_SKEW_MS).toISOString().slice(0, 10) : "";
}

function isWanted(row: Row, record: ActionRecord): boolean {
  const change = changeOf(row);
  const { contract_ref: contract, autopay } = parametersOf(record);
  return (
    change !== undefined &&
    change.madeOn >= dayBefore(record) &&
    change.contract === contract &&
    change.autopay === autopay &&
    change.instrument === termsOf(record)["instrument"]
  );
}

/** Turns automatic payment on or off through the provider's views. */
export const autopaySet = viewCommit<AutopayOffer>({
  operation: "utilities.autopay.set",
  path: "/data/autopay",
  body: autopayBody,
  view: VIEW,
  press: /^Turn o(?:n|ff) automatic payment$/,
  terms: autopayTerms,
  recognise: (answer, record) => byApi.recognise(answer, record),
  list: LIST,
  reference: ({ cells }) => cells[4] ?? "",
  isWanted,
  isAlike: isWanted,
  confirmation: (row) => {
    const change = changeOf(row);
    if (change === undefined) throw new SiteTrouble("the provider shows a change that cannot be read");
    const first = change.autopay === "off" ? {} : { first_on: change.firstOn };
    return {
      confirmation: change.number,
      result: { contract_ref: change.contract, autopay: change.autopay, ...first },
    };
  },
});

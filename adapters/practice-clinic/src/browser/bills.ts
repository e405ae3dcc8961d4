import type { ReadAdapter } from "@countersign/plugin";
import { type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { CURRENCY, look, printedDay, printedMinor, shown, visits } from "./page-text.ts";

const BILL_COLUMNS = ["Number", "What for", "Issued", "Due", "Sum", "Open", "State"];
const CLAIM_COLUMNS = ["Number", "What for", "Treated", "Sent", "State", "Claimed", "Approved", "Paid", "Paid on"];
const BILL_STATES: Readonly<Record<string, string>> = {
  Open: "open",
  Paid: "paid",
  "Paid in part": "part_paid",
  Overdue: "overdue",
};
const CLAIM_STATES: Readonly<Record<string, string>> = {
  "With the insurer": "in_review",
  Approved: "approved",
  "Approved in part": "part_approved",
  Paid: "paid",
};
const REFUSED = /^Refused: .+$/;
const BILLS_FOR = /^For (.+?)\. Pay them by bank transfer/;
const CLAIMS_FOR = /^What (.+?) passed on to your insurer for (.+)\.$/;

/** One of the page's tables as text; `href` is where a row's link leads. */
export interface TableLook {
  readonly hint: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly href: string }[];
}

async function lookAtTable(page: Page, heading: string, caption: string): Promise<TableLook> {
  const { heading: seen, hint } = await look(page);
  visits.expectHeading(seen, heading);
  const table = page.getByRole("table", { name: caption, exact: true });
  if ((await table.count()) !== 1) throw new SiteTrouble("the clinic does not show its one table");
  const read = await table.evaluate((element) => {
    const text = (node: Node) => (node.textContent ?? "").trim();
    const { tHead, tBodies } = element as HTMLTableElement;
    return {
      head: [...(tHead?.rows ?? [])].flatMap((row) => [...row.cells].map(text)),
      rows: [...tBodies].flatMap((part) =>
        [...part.rows].map((row) => ({
          cells: [...row.cells].map(text),
          href: row.querySelector("a")?.getAttribute("href") ?? "",
        })),
      ),
    };
  });
  return { hint, ...read };
}

function rowsOf(seen: TableLook, columns: readonly string[], under: string) {
  if (seen.head.join("|") !== columns.join("|")) throw new SiteTrouble("the clinic's table has other columns");
  return seen.rows.map(({ cells, href }) => {
    const ref = href.startsWith(under) ? href.slice(under.length) : "";
    if (cells.length !== columns.length || !/^[\w-]{1,64}$/.test(ref))
      throw new SiteTrouble("the clinic's table has a row that cannot be read");
    return { ref, cells };
  });
}

export function billsOf(seen: TableLook): readonly JsonObject[] {
  const patient = BILLS_FOR.exec(seen.hint)?.[1];
  if (patient === undefined) throw new SiteTrouble("the clinic does not say whose bills these are");
  return rowsOf(seen, BILL_COLUMNS, "/bills/").map(({ ref, cells }) => {
    const [number = "", title = "", issued = "", due = "", sum = "", open = "", state = ""] = cells;
    const status = Object.hasOwn(BILL_STATES, state) ? BILL_STATES[state] : undefined;
    if (status === undefined) throw new SiteTrouble("the clinic shows a bill in an unknown state");
    return {
      bill_ref: ref,
      number: shown(number, "number of a bill"),
      title: shown(title, "title of a bill"),
      patient,
      issued_on: printedDay(issued),
      due_on: printedDay(due),
      currency: CURRENCY,
      total_minor: printedMinor(sum),
      open_minor: printedMinor(open),
      status,
    };
  });
}

export function claimsOf(seen: TableLook): readonly JsonObject[] {
  const [, provider, person] = CLAIMS_FOR.exec(seen.hint) ?? [];
  if (provider === undefined || person === undefined)
    throw new SiteTrouble("the clinic does not say whose claims these are");
  return rowsOf(seen, CLAIM_COLUMNS, "/claims/").map(({ ref, cells }) => {
    const [number = "", title = "", treated = "", sent = "", state = "", claimed = "", ...rest] = cells;
    const [approved = "", paid = "", paidOn = ""] = rest;
    const status = REFUSED.test(state)
      ? "refused"
      : Object.hasOwn(CLAIM_STATES, state)
        ? CLAIM_STATES[state]
        : undefined;
    if (status === undefined) throw new SiteTrouble("the clinic shows a claim in an unknown state");
    return {
      claim_ref: ref,
      number: shown(number, "number of a claim"),
      title: shown(title, "title of a claim"),
      person,
      provider,
      incident_on: printedDay(treated),
      submitted_on: printedDay(sent),
      status,
      status_text: state,
      currency: CURRENCY,
      claimed_minor: printedMinor(claimed),
      ...(approved === "" ? {} : { approved_minor: printedMinor(approved) }),
      ...(paid === "" ? {} : { paid_minor: printedMinor(paid) }),
      ...(paidOn === "" ? {} : { paid_on: printedDay(paidOn) }),
    };
  });
}

export const billsList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "healthcare.bills.list",
  async read(_ctx, session, params) {
    const bills = await visits.visit(session, "/bills", async (page) =>
      ok(billsOf(await lookAtTable(page, "Your bills", "Bills, newest first"))),
    );
    if (!bills.ok) return bills.reason;
    const wanted = bills.value.filter((bill) => params["only"] !== "to_pay" || Number(bill["open_minor"]) > 0);
    return { kind: "done", result: { bills: wanted.slice(0, Number(params["limit"])) } };
  },
};

export const claimsList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "healthcare.claims.list",
  async read(_ctx, session, params) {
    const claims = await visits.visit(session, "/claims", async (page) =>
      ok(claimsOf(await lookAtTable(page, "Your claims", "Claims, newest first"))),
    );
    if (!claims.ok) return claims.reason;
    return { kind: "done", result: { claims: claims.value.slice(0, Number(params["limit"])) } };
  },
};

import { describe, expect, it } from "vitest";
import { billsOf, claimsOf, type TableLook } from "./bills.ts";

const trouble = expect.objectContaining({ name: "SiteTrouble" });

const BILL = [
  "R-2026-3391",
  "Physiotherapy",
  "Tuesday 24 November 2026",
  "Thursday 24 December 2026",
  "€67.50",
  "€67.50",
  "Open",
];
const bills = (cells: readonly string[], change: Partial<TableLook> = {}): TableLook => ({
  hint: "For Alex Example. Pay them by bank transfer, with the number as the reference.",
  head: ["Number", "What for", "Issued", "Due", "Sum", "Open", "State"],
  rows: [{ cells, href: "/bills/mb-3391" }],
  ...change,
});
const CLAIM = [
  "CL-902",
  "Physiotherapy",
  "Saturday 21 November 2026",
  "Wednesday 25 November 2026",
  "With the insurer",
  "€186.00",
  "",
  "",
  "",
];
const claims = (cells: readonly string[]): TableLook => ({
  hint: "What Elm Street Clinic passed on to your insurer for Alex Example.",
  head: ["Number", "What for", "Treated", "Sent", "State", "Claimed", "Approved", "Paid", "Paid on"],
  rows: [{ cells, href: "/claims/mc-902" }],
});
const put = (cells: readonly string[], at: number, text: string) =>
  cells.map((cell, here) => (here === at ? text : cell));

describe("bills and claims of the clinic's pages", () => {
  it("are read as they stand there", () => {
    expect(billsOf(bills(BILL))).toEqual([
      {
        bill_ref: "mb-3391",
        number: "R-2026-3391",
        title: "Physiotherapy",
        patient: "Alex Example",
        issued_on: "2026-11-24",
        due_on: "2026-12-24",
        currency: "EUR",
        total_minor: 6_750,
        open_minor: 6_750,
        status: "open",
      },
    ]);
    expect(claimsOf(claims(CLAIM))).toEqual([
      {
        claim_ref: "mc-902",
        number: "CL-902",
        title: "Physiotherapy",
        person: "Alex Example",
        provider: "Elm Street Clinic",
        incident_on: "2026-11-21",
        submitted_on: "2026-11-25",
        status: "in_review",
        status_text: "With the insurer",
        currency: "EUR",
        claimed_minor: 18_600,
      },
    ]);
    expect(claimsOf(claims(put(CLAIM, 4, "Refused: not prescribed")))[0]).toMatchObject({ status: "refused" });
  });

  it.each([
    ["a sum that cannot be read", bills(put(BILL, 4, "67,50"))],
    ["a state that is not known", bills(put(BILL, 6, "Late"))],
    ["a day with another weekday", bills(put(BILL, 2, "Monday 24 November 2026"))],
    ["no number", bills(put(BILL, 0, ""))],
    ["a cell less", bills(BILL.slice(1))],
    ["a column more", bills(BILL, { head: ["Number"] })],
    ["a link elsewhere", bills(BILL, { rows: [{ cells: BILL, href: "/claims/mb-3391" }] })],
    ["nobody's name", bills(BILL, { hint: "" })],
  ])("U27 bills with %s are not read", (_, seen) => {
    expect(() => billsOf(seen)).toThrow(trouble);
  });

  it.each([
    [3, ""],
    [4, "Unknown"],
    [5, ""],
    [6, "nothing"],
    [8, "soon"],
  ])("U27 a claim with cell %i as %j is not read", (at, text) => {
    expect(() => claimsOf(claims(put(CLAIM, at, text)))).toThrow(trouble);
  });
});

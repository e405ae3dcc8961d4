import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountsOf } from "./accounts.ts";
import { type Look, printedAmount, printedDay } from "./page-text.ts";
import { offerOf } from "./review.ts";
import { transactionsOf } from "./transactions.ts";

const trouble = expect.objectContaining({ name: "SiteTrouble" });
const CHOSEN = {
  path: "/payments/x/review",
  fromRef: "ba-everyday",
  from: "Everyday account, IE31 QUAY 9058 3812 3430 00",
  payeeRef: "py-jo",
  payee: "Jo Example, IE12 SECB 9900 1712 3401 30",
};
const FACTS: readonly (readonly [string, string])[] = [
  ["From", CHOSEN.from],
  ["To", "Jo Example"],
  ["Account of the payee", "IE12 SECB 9900 1712 3401 30"],
  ["The name, says their bank", "matches"],
  ["Amount", "1,250.00 EUR"],
  ["Fee", "0.50 EUR"],
  ["Total", "1,250.50 EUR"],
  ["Message to the payee", "Rent"],
  ["Your own reference", "CS-1"],
  ["Leaves on", "02 Dec 2026"],
  ["Arrives", "On the day"],
];

function review(facts: readonly (readonly [string, string])[], heading = "Check your payment"): Look {
  const body = facts.map((cells) => ({ cells, href: "" }));
  return { heading, note: "", pages: "", older: false, tables: [{ caption: "Your payment", head: [], body }] };
}
const changed = (term: string, text: string) =>
  FACTS.map((fact) => (fact[0] === term ? ([term, text] as const) : fact));

describe("amounts and days of the bank's pages", () => {
  it.each([
    ["1,842.33 EUR", 184_233],
    ["−86.40 EUR", -8_640],
    ["0.00 EUR", 0],
    ["1,234,567.89 EUR", 123_456_789],
  ])("%s is read exactly", (text, minor) => {
    expect(printedAmount(text)).toEqual({ minor, currency: "EUR" });
  });

  it.each([
    "",
    "86.40",
    "-86.40 EUR",
    "86,40 EUR",
    "1,84.33 EUR",
    "1842,33 EUR",
    "86.4 EUR",
    "86.400 EUR",
    "€86.40",
    "86.40 XYZ",
    "86.40 EUR 1",
    "−0.00 EUR",
  ])("U55 %s is not read", (text) => {
    expect(() => printedAmount(text)).toThrow(trouble);
  });

  it("U55 every amount comes back as the bank prints it", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (minor) => {
        const cents = String(Math.abs(minor)).padStart(3, "0");
        const whole = cents.slice(0, -2).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",");
        expect(printedAmount(`${minor < 0 ? "−" : ""}${whole}.${cents.slice(-2)} EUR`).minor).toBe(minor);
      }),
    );
  });

  it("a day is one of the calendar, in the one form that the bank prints", () => {
    expect(printedDay("02 Dec 2026")).toBe("2026-12-02");
    for (const text of ["2 Dec 2026", "31 Feb 2026", "02/12/2026", "Dec 02 2026", "02 Dec", ""])
      expect(() => printedDay(text), text).toThrow(trouble);
  });
});

describe("the page to check", () => {
  it("APR-2 is read as it stands there", () => {
    expect(offerOf(review(FACTS), CHOSEN)).toEqual({
      from: { id: "ba-everyday", name: "Everyday account", ending: "3000" },
      payee: { id: "py-jo", name: "Jo Example", number: "IE12 SECB 9900 1712 3401 30", nameCheck: "matches" },
      currency: "EUR",
      amountMinor: 125_000,
      feeMinor: 50,
      totalMinor: 125_050,
      text: "Rent",
      executeOn: "2026-12-02",
      speed: "On the day",
      own: "CS-1",
    });
  });

  it.each([
    ["a total that is not the sum", review(changed("Total", "1,250.51 EUR"))],
    ["a fee in another currency", review(changed("Fee", "0.50 GBP"))],
    ["another payee", review(changed("To", "Joe Example"))],
    ["another account of the payee", review(changed("Account of the payee", "IE12 SECB 9900 1712 3401 31"))],
    ["another account of ours", review(changed("From", "Rainy days, IE07"))],
    ["a word on the name that is not known", review(changed("The name, says their bank", "perhaps"))],
    ["a row more", review([...FACTS, ["Tax", "1.00 EUR"]])],
    ["half of its rows", review(FACTS.slice(0, 6))],
    ["another heading", review(FACTS, "Log in to online banking")],
  ])("U27 with %s it is not read at all", (_, look) => {
    expect(() => offerOf(look, CHOSEN)).toThrow(trouble);
  });
});

describe("lists", () => {
  const table = (caption: string, head: readonly string[], cells: readonly string[], href = ""): Look["tables"] => [
    { caption, head, body: [{ cells, href }] },
  ];
  const COLUMNS = ["Date", "Who", "Details", "Amount", "Balance", "Reference"];
  const page = (cells: readonly string[], pages = "Page 2 of 3", head = COLUMNS): Look => ({
    heading: "Everyday account",
    note: "",
    pages,
    older: true,
    tables: table("Transactions", head, cells),
  });

  it("a pending row has no day and no balance", () => {
    expect(transactionsOf(page(["Pending", "Hotel", "Reserved", "−50.00 EUR", "", "t1"]), 2, "EUR")).toEqual([
      { transaction_ref: "t1", counterparty: "Hotel", text: "Reserved", amount_minor: -5_000, pending: true },
    ]);
  });

  it.each([
    ["another page of the list", page(["28 Nov 2026", "A", "B", "1.00 EUR", "2.00 EUR", "t1"], "Page 1 of 3")],
    ["another currency", page(["28 Nov 2026", "A", "B", "1.00 GBP", "2.00 GBP", "t1"])],
    [
      "a column more",
      page(["28 Nov 2026", "A", "B", "1.00 EUR", "2.00 EUR", "t1"], "Page 2 of 3", [...COLUMNS, "Fee"]),
    ],
    ["a cell less", page(["28 Nov 2026", "A", "B", "1.00 EUR", "t1"])],
    ["no reference", page(["28 Nov 2026", "A", "B", "1.00 EUR", "2.00 EUR", ""])],
  ])("%s is not read", (_, look) => {
    expect(() => transactionsOf(look, 2, "EUR")).toThrow(trouble);
  });

  it("U44 whose accounts they are is the bank's word, and stands there", () => {
    const head = ["Name", "Kind", "Number", "Balance", "Available"];
    const cells = ["Everyday account", "Current account", "IE31", "1.00 EUR", "1.00 EUR"];
    const look = { heading: "Your accounts", note: "Alex Example, customer 40127759", pages: "", older: false };
    const tables = table("Accounts and cards", head, cells, "/accounts/ba-everyday");
    expect(accountsOf({ ...look, tables })).toMatchObject({ holder: "Alex Example", customerNumber: "40127759" });
    expect(() => accountsOf({ ...look, note: "Alex Example", tables })).toThrow(trouble);
    expect(() => accountsOf({ ...look, tables: table("Accounts and cards", head, cells) })).toThrow(trouble);
  });
});

import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { decimalOf } from "../../site/money.ts";
import { contractOf } from "../account.ts";
import { onePagePdf, type PdfLine } from "../pdf.ts";
import { CURRENCY, UTILITY_CUSTOMER_NUMBER, UTILITY_NAME } from "../seed.ts";
import type { UtilityWorld } from "../world.ts";
import { utilityNotice } from "./layout.ts";

/** The bill as a document: what was billed, as it was written. What was paid since stands on the page, not in it. */
export function billPdf(world: UtilityWorld, exchange: Exchange): Answer {
  const bill = world.state.bills.find(({ id }) => id === exchange.params["bill"]);
  if (bill === undefined)
    return utilityNotice(world, exchange, {
      status: 404,
      title: "No such bill",
      text: "You have no bill with this number.",
      href: "/bills",
      link: "Bills",
    });
  const contract = contractOf(bill.contract);
  const amount = `${CURRENCY} ${decimalOf(bill.totalCents, 2)}`;
  const facts: readonly (readonly [string, string])[] = [
    ["Bill number", `NL-${bill.id}`],
    ["Customer", `${world.user.name}, ${UTILITY_CUSTOMER_NUMBER}`],
    ["Contract", `${contract?.title ?? ""}, ${bill.contract}`],
    ["Supplied to", contract?.place ?? ""],
    ["Meter", contract?.meter ?? ""],
    ["Period", `${bill.from} to ${bill.to}`],
    ["Issued on", bill.issuedOn],
    [bill.totalCents < 0 ? "Credited on" : "Due on", bill.dueOn],
  ];
  const lines: readonly PdfLine[] = [
    { x: 56, y: 770, size: 22, text: UTILITY_NAME, weight: "bold" },
    { x: 56, y: 718, size: 15, text: bill.title, weight: "bold" },
    ...facts.flatMap(([term, text], at): PdfLine[] => [
      { x: 56, y: 660 - at * 22, size: 11, text: term },
      { x: 200, y: 660 - at * 22, size: 11, text },
    ]),
    { x: 56, y: 450, size: 13, text: "Total", weight: "bold" },
    { x: 200, y: 450, size: 13, text: amount, weight: "bold" },
    { x: 56, y: 90, size: 9, text: "A practice bill: no energy was sold, and nothing is to be paid with real money." },
  ];
  const name = `northlight-bill-${bill.id}.pdf`;
  return {
    kind: "answer",
    status: 200,
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
    body: onePagePdf(`${bill.title}, NL-${bill.id}`, lines),
  };
}

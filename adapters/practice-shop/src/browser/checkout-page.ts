import { SiteTrouble } from "@countersign/plugin";
import type { Page } from "@countersign/route-browser";
import type { Checkout } from "../shared/terms.ts";
import { type LinesTable, readLines } from "./lines.ts";
import { readMinor, readMoney } from "./money.ts";
import { expectHeading } from "./visit.ts";

/** The checkout page as text, taken in one look so that no figure is of another moment than its neighbour. */
export interface CheckoutLook {
  readonly heading: string;
  readonly choices: readonly {
    readonly group: string;
    readonly id: string;
    readonly checked: boolean;
    readonly text: string;
    readonly detail: string;
  }[];
  readonly note: string;
  readonly tables: readonly LinesTable[];
}

export function lookAtCheckout(page: Page): Promise<CheckoutLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const rows = (part: HTMLTableSectionElement | null) =>
      [...(part?.rows ?? [])].map((row) => [...row.cells].map((cell) => text(cell)));
    return {
      heading: text(document.querySelector("main h1")),
      choices: [...document.querySelectorAll<HTMLInputElement>('main input[type="radio"]')].map((radio) => {
        const label = radio.closest("label")?.querySelector("span");
        return {
          group: radio.name,
          id: radio.value,
          checked: radio.checked,
          text: text(label?.firstChild),
          detail: text(label?.querySelector(".small")),
        };
      }),
      note: document.querySelector<HTMLTextAreaElement>("main textarea")?.value ?? "",
      tables: [...document.querySelectorAll("main table")].map((each) => {
        const table = each as HTMLTableElement;
        return {
          caption: text(table.caption),
          head: rows(table.tHead).flat(),
          body: [...table.tBodies].flatMap((part) => rows(part)),
          foot: rows(table.tFoot),
        };
      }),
    };
  });
}

/**
 * What the page says will be ordered. Rows that are not known (a tax, a fee) are not skipped: the page is then unreadable.
 * @throws SiteTrouble when it is not exactly as it should be.
 */
export function readCheckout(look: CheckoutLook): Checkout {
  expectHeading(look.heading, "Checkout");
  const [table, ...others] = look.tables.filter((each) => each.caption === "Order summary");
  if (table === undefined || others.length > 0) throw new SiteTrouble("the shop shows no single order summary");
  const [subtotal, shipping, total, ...more] = table.foot;
  if (subtotal?.[0] !== "Subtotal" || total?.[0] !== "Total" || more.length > 0)
    throw new SiteTrouble("the shop's order summary has other rows");
  const { currency } = readMoney(total[1] ?? "");
  const lines = readLines(table, currency);
  const delivery = chosen(look, "delivery");
  const [title = "", price = ""] = shipping ?? [];
  // A summary of another delivery than the chosen one is not yet brought up to date.
  if (title === "" || !delivery.text.startsWith(`${title}, `))
    throw new SiteTrouble("the shop's order summary is not of the chosen delivery");
  const priceMinor = readMinor(price, currency);
  const subtotalMinor = readMinor(subtotal[1] ?? "", currency);
  const totalMinor = readMinor(total[1] ?? "", currency);
  const sum = lines.reduce((minor, line) => minor + line.unitMinor * line.quantity, 0);
  if (sum !== subtotalMinor || subtotalMinor + priceMinor !== totalMinor)
    throw new SiteTrouble("the shop's figures do not add up");
  const address = chosen(look, "address");
  const instrument = chosen(look, "instrument");
  return {
    currency,
    lines,
    delivery: { id: delivery.id, title, priceMinor },
    totalMinor,
    address: { id: address.id, text: address.detail },
    instrument: { id: instrument.id, label: instrument.text },
    note: look.note,
  };
}

function chosen(look: CheckoutLook, group: string): CheckoutLook["choices"][number] {
  const [choice, ...others] = look.choices.filter((each) => each.group === group && each.checked);
  if (choice === undefined || choice.text === "" || choice.detail === "" || others.length > 0)
    throw new SiteTrouble(`the shop shows no single choice of ${group}`);
  return choice;
}

import { SiteTrouble } from "@countersign/plugin";
import { readMinor, readQuantity } from "./money.ts";

/** The list of items and the totals, as the checkout and an order's own page both show them, as text. */
export interface SummaryLook {
  readonly items: readonly {
    readonly quantity: string;
    readonly title: string;
    /** `Color: White` */
    readonly options: readonly string[];
    readonly total: string;
  }[];
  /** Rows of the totals from the top: every text in the row. The row in which a coupon is typed has a form. */
  readonly rows: readonly { readonly texts: readonly string[]; readonly hasForm: boolean; readonly isTotal: boolean }[];
}

export interface SummaryLine {
  readonly title: string;
  readonly options: readonly string[];
  readonly quantity: number;
  readonly totalMinor: number;
}

export interface Summary {
  readonly lines: readonly SummaryLine[];
  readonly shipping: { readonly title: string; readonly minor: number };
  readonly totalMinor: number;
}

const SHIPPING = /^Shipping \((.+)\)$/;

/**
 * Runs in the page, so it must not use anything outside itself. Text that stands at several widths of the window is
 * taken from the first place.
 */
export function summaryInPage(): SummaryLook {
  const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
  const leaves = (node: Element): string[] =>
    node.children.length === 0
      ? [text(node)].filter((each) => each !== "")
      : [...node.childNodes].flatMap((each) => {
          if (each instanceof Element) return leaves(each);
          return each.nodeType === Node.TEXT_NODE && text(each) !== "" ? [text(each)] : [];
        });
  const list = document.querySelector("main .item__summary__list, main .order__item__summary__list");
  const totals = document.querySelector("main .cart__total__summary, main .order__total__summary");
  return {
    items: [...(list?.querySelectorAll(":scope > li") ?? [])].map((item) => {
      const [picture, what, price] = item.children;
      const [title, ...others] = what?.children ?? [];
      return {
        quantity: text(picture?.querySelector("span")),
        title: text(title),
        options: others.flatMap((each) => [...each.children].map((option) => text(option))),
        total: text(price),
      };
    }),
    rows: [...(totals?.children ?? [])].map((row) => ({
      texts: leaves(row),
      hasForm: row.querySelector("form") !== null,
      isTotal: row.classList.contains("grand-total"),
    })),
  };
}

/**
 * What a summary says. A row that is not known (a discount, a fee, a tax on top) is not skipped: the page is unreadable.
 * @throws SiteTrouble when it is not exactly as it should be, or its figures do not add up.
 */
export function readSummary(look: SummaryLook): Summary {
  const [subtotal, shipping, total, ...others] = look.rows.filter((row) => !row.hasForm);
  const title = SHIPPING.exec(shipping?.texts[0] ?? "")?.[1];
  if (subtotal?.texts[0] !== "Sub total" || subtotal.texts.length !== 2 || others.length > 0)
    throw new SiteTrouble("the shop's order summary has other rows");
  if (title === undefined || shipping?.texts.length !== 2 || look.items.length === 0)
    throw new SiteTrouble("the shop's order summary has other rows");
  const totalText = total?.texts.at(-1) ?? "";
  if (!total?.isTotal || total.texts[0] !== "Total") throw new SiteTrouble("the shop's order summary has no total");
  const lines = look.items.map((item): SummaryLine => {
    if (item.title === "" || item.options.some((option) => option === ""))
      throw new SiteTrouble("the shop's order summary has an item without a name");
    return {
      title: item.title,
      options: item.options,
      quantity: readQuantity(item.quantity),
      totalMinor: readMinor(item.total),
    };
  });
  const subtotalMinor = readMinor(subtotal.texts[1] ?? "");
  const minor = readMinor(shipping.texts[1] ?? "");
  const totalMinor = readMinor(totalText);
  const sum = lines.reduce((so, line) => so + line.totalMinor, 0);
  if (sum !== subtotalMinor || subtotalMinor + minor !== totalMinor)
    throw new SiteTrouble("the shop's figures do not add up");
  return { lines, shipping: { title, minor }, totalMinor };
}

/** The shop shows a line's total alone. @throws SiteTrouble when that is no whole multiple of a unit price. */
export function unitMinor(line: SummaryLine): number {
  const unit = line.totalMinor / line.quantity;
  if (!Number.isSafeInteger(unit)) throw new SiteTrouble("the shop's line total is no whole multiple of a price");
  return unit;
}

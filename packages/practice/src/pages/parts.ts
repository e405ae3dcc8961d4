import type { Priced } from "../shop/model.ts";
import { formatMoney } from "../shop/money.ts";
import { type Html, html } from "./html.ts";

const DAY = new Intl.DateTimeFormat("en-IE", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-IE", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** A day a person reads, with the instant a program reads. */
export function day(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${DAY.format(atMs)}</time>`;
}

export function moment(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${MINUTE.format(atMs)} UTC</time>`;
}

export function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}">`;
}

/** The lines, delivery and total of an order or checkout. */
export function linesTable(caption: string, priced: Priced): Html {
  const money = (amountMinor: number) => formatMoney(amountMinor, priced.currency);
  return html`<table class="lines">
<caption>${caption}</caption>
<thead><tr><th scope="col">Item</th><th scope="col">SKU</th><th scope="col">Quantity</th><th scope="col">Unit price</th><th scope="col">Amount</th></tr></thead>
<tbody>${priced.lines.map(
    (line) => html`
<tr><th scope="row">${line.title}</th><td>${line.sku}</td><td>${line.quantity}</td><td>${money(line.unitMinor)}</td><td>${money(line.totalMinor)}</td></tr>`,
  )}
</tbody>
<tfoot>
<tr><th scope="row" colspan="4">Subtotal</th><td>${money(priced.subtotalMinor)}</td></tr>
<tr><th scope="row" colspan="4"><span data-live="delivery-title">${priced.delivery.title}</span></th><td data-live="delivery">${money(priced.delivery.priceMinor)}</td></tr>
<tr class="total"><th scope="row" colspan="4">Total</th><td data-live="total">${money(priced.totalMinor)}</td></tr>
</tfoot>
</table>`;
}

/** A message a screen reader announces. */
export function alert(text: string): Html {
  return html`<p role="alert" class="alert">${text}</p>`;
}

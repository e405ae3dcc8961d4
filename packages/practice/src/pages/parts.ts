import type { Priced } from "../shop/model.ts";
import { type Html, html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";

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

import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { refuseClinic } from "../api/wire.ts";
import type { ClinicWorld } from "../world.ts";

/** Rows that one request brings. */
const ROWS_AT_ONCE = 20;

export interface ListRow {
  readonly cells: readonly string[];
  /** Where the last cell leads; without it the cell is text. */
  readonly href?: string;
}

/**
 * A long list that keeps only what is in view in the document: the clinic's script draws rows as it is scrolled and asks
 * for the others when they come near. What stands there for assistive technology is what stands at every such table:
 * how many rows there are (`aria-rowcount`), and which one each is (`aria-rowindex`), the head being the first.
 */
export function longList(part: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rowsPath: string;
  readonly count: number;
}): Html {
  return html`<div class="long" role="table" aria-label="${part.label}" aria-rowcount="${part.count + 1}" tabindex="0" data-rows="${part.rowsPath}">
<div class="top" role="rowgroup"><div class="line" role="row" aria-rowindex="1">${part.columns.map(
    (column) => html`<span role="columnheader">${column}</span>`,
  )}</div></div>
<div class="lines" role="rowgroup"></div>
</div>
<noscript><p role="alert">This list needs JavaScript.</p></noscript>`;
}

/** The rows from `start` on, for the clinic's own script. */
export function rowsAnswer(world: ClinicWorld, exchange: Exchange, rows: readonly ListRow[]): Answer {
  const asked = exchange.url.searchParams.get("start") ?? "0";
  if (!/^\d{1,6}$/.test(asked)) return refuseClinic("invalid_request");
  const start = Number(asked);
  if (start > 0 && world.switches.take("stuckList")) return refuseClinic("temporarily_unavailable");
  return json(200, { total: rows.length, start, rows: rows.slice(start, start + ROWS_AT_ONCE) });
}

import type { IncomingMessage } from "node:http";
import { sameText } from "../auth/credentials.ts";
import { readBody } from "../http/body.ts";
import { type Answer, asset, page, redirect } from "../http/reply.ts";
import { type Html, html } from "../site/html.ts";
import { csrfField } from "../site/parts.ts";
import type { SiteBoard } from "./model.ts";

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f27;--soft:#5b6472;--paper:#f3f4f7;--panel:#fff;--line:#d8dce4;--on:#0b6b4f}
@media (prefers-color-scheme:dark){:root{--ink:#e7eaf0;--soft:#a4adbb;--paper:#12151b;--panel:#1b2029;--line:#333b48;--on:#6fd0ad}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Arial,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 3rem}h1{font-size:1.7rem;line-height:1.2;margin:0 0 .25rem}h2{font-size:1.2rem;margin:0}h3{font-size:.95rem;margin:1.25rem 0 .5rem;color:var(--soft)}
.sites{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));align-items:start;margin-top:1.5rem}
.site{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:1.25rem}.quiet{color:var(--soft)}p{margin:.25rem 0}
ul{list-style:none;margin:0;padding:0}li{border-top:1px solid var(--line);padding:.6rem 0;display:flex;gap:1rem;align-items:center;justify-content:space-between}
li>span{min-width:0}li strong{display:block}.quiet small,small{font-size:.875rem}
button{font:inherit;font-weight:600;cursor:pointer;min-height:2.75rem;min-width:4.5rem;border:1px solid var(--line);border-radius:8px;background:transparent;color:var(--ink);padding:.4rem .9rem}
button[aria-pressed=true]{background:var(--on);border-color:var(--on);color:var(--panel)}a{color:inherit}:focus-visible{outline:3px solid var(--on);outline-offset:2px}
.acts{display:flex;flex-wrap:wrap;gap:.5rem}dl{margin:0;display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem}dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="4" width="14" height="8" rx="4" fill="#0b6b4f"/><circle cx="11" cy="8" r="3" fill="#fff"/></svg>`;

export interface Board {
  readonly sites: readonly SiteBoard[];
  /** In every form of the board's own page; nobody else can read it. */
  readonly token: string;
}

function facts(rows: readonly { readonly label: string; readonly value: string | number }[]): Html {
  return html`<dl>${rows.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

function form(board: Board, site: SiteBoard, fields: Readonly<Record<string, string>>, button: Html): Html {
  return html`<form method="post" action="/">${csrfField(board.token)}<input type="hidden" name="site" value="${site.id}">${Object.entries(
    fields,
  ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${button}</form>`;
}

function siteCard(board: Board, site: SiteBoard): Html {
  const rows = site
    .switches()
    .map(
      ({ id, title, text, on }) =>
        html`<li><span><strong>${title}</strong><small class="quiet">${text}</small></span>${form(
          board,
          site,
          { switch: id, on: on ? "no" : "yes" },
          html`<button aria-pressed="${on ? "true" : "false"}" aria-label="${title}">${on ? "on" : "off"}</button>`,
        )}</li>`,
    );
  const acts = [...(site.actsNow?.() ?? []), ...site.acts].map(({ id, title }) =>
    form(board, site, { act: id }, html`<button>${title}</button>`),
  );
  return html`<section class="site" aria-labelledby="${site.id}"><h2 id="${site.id}">${site.title}</h2>
<p><a href="${site.origin}" rel="noreferrer">${site.origin}</a></p>
<h3>What the person types</h3>${facts(site.codes())}
<h3>What goes wrong</h3><ul>${rows}</ul>
<h3>At the site</h3><div class="acts">${acts}</div>
<h3>What it counted</h3>${facts(site.counters())}</section>`;
}

function show(board: Board): Answer {
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Practice world</title><link rel="stylesheet" href="/board.css"><link rel="icon" href="/board.svg" type="image/svg+xml"></head>
<body><main><h1>Practice world</h1>
<p class="quiet">Sites on this machine where nothing is real. Let them misbehave, and watch what the gateway makes of it.</p>
<div class="sites">${board.sites.map((site) => siteCard(board, site))}</div></main></body></html>
`;
  return page(200, document.markup);
}

/** Turns a switch or does something once. A form that the board's own page did not make changes nothing. */
function work(board: Board, fields: URLSearchParams): Answer {
  const refused = (status: number, text: string) =>
    page(status, html`<!doctype html><title>${text}</title><h1>${text}</h1>`.markup);
  if (!sameText(fields.get("csrf") ?? "", board.token)) return refused(403, "This page was out of date");
  const site = board.sites.find(({ id }) => id === fields.get("site"));
  const act = fields.get("act");
  const done = act !== null ? site?.act(act) : site?.set(fields.get("switch") ?? "", fields.get("on") === "yes");
  return done === true ? redirect(303, "/") : refused(404, "There is no such switch");
}

/** The switchboard. A request that a web page of another origin makes, or that names another host, is refused. */
export async function answerBoard(board: Board, origin: string, request: IncomingMessage): Promise<Answer> {
  const body = await readBody(request);
  const { host, origin: from } = request.headers;
  if (`http://${host}` !== origin || (from !== undefined && from !== origin)) return page(403, "<h1>Forbidden</h1>");
  if (!body.ok) return page(400, "<h1>Not understood</h1>");
  switch (`${request.method} ${request.url}`) {
    case "GET /":
      return show(board);
    case "GET /board.css":
      return asset("text/css; charset=utf-8", STYLE);
    case "GET /board.svg":
      return asset("image/svg+xml", ICON);
    case "POST /":
      return work(board, new URLSearchParams(body.text));
    default:
      return page(404, "<h1>There is nothing at this address</h1>");
  }
}

import { asset } from "../../http/reply.ts";
import type { ClinicRoute } from "../route.ts";

const STYLE = `:root{color-scheme:light dark;--ink:#1d2b24;--soft:#587064;--paper:#f4f7f2;--sheet:#fff;--line:#d5e0d6;--leaf:#1f6b46;--on:#fff;--tint:#e6f1e9;--warn:#8b2c1d;--warn-bg:#fbe9e4;--row:4rem}
@media (prefers-color-scheme:dark){:root{--ink:#e4ede6;--soft:#9fb5a8;--paper:#111814;--sheet:#18221d;--line:#2f4037;--leaf:#7fcba2;--on:#0c1a12;--tint:#1f3027;--warn:#ffb4a3;--warn-bg:#3b201a}}
*{box-sizing:border-box}body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:17px/1.5 Georgia,"Iowan Old Style",serif}
header{background:var(--sheet);border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.25rem 2.5rem;align-items:center;padding:.75rem 1.5rem}
.name{display:flex;gap:.6rem;align-items:center;font-weight:700;font-size:1.2rem;text-decoration:none;color:var(--leaf)}
nav{display:flex;flex-wrap:wrap;gap:0 1.5rem;align-items:center}nav a{padding:.6rem 0;text-decoration:none;color:inherit}nav a[aria-current]{color:var(--leaf);box-shadow:inset 0 -2px}
main{flex:1;width:100%;max-width:70rem;margin:0 auto;padding:2rem 1.5rem 3rem}footer{color:var(--soft);font-size:.85rem;padding:1rem 1.5rem;border-top:1px solid var(--line)}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1rem;font-weight:600}a{color:var(--leaf)}:focus-visible{outline:3px solid var(--leaf);outline-offset:2px}
.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:14px;padding:1.5rem}.small{max-width:30rem;margin-inline:auto}.wide{overflow-x:auto}
.hint{color:var(--soft);font-size:.92rem}.number{font-size:2.6rem;line-height:1.1;margin:.5rem 0 1rem;color:var(--leaf);font-variant-numeric:tabular-nums}
label{display:block;margin:0 0 1rem;font-size:.95rem;color:var(--soft)}label[for]{margin:0}select{margin-bottom:1rem}
input,select{display:block;width:100%;margin-top:.25rem;font:inherit;font-size:1.05rem;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:10px;padding:.55rem .75rem;min-height:2.9rem}
button,a.strong{display:inline-block;font:inherit;cursor:pointer;border:1px solid var(--leaf);border-radius:999px;background:transparent;color:var(--leaf);padding:.55rem 1.4rem;min-height:2.9rem;text-decoration:none}
button.strong,a.strong{background:var(--leaf);color:var(--on)}button.plain{border:0;padding:.6rem 0;color:inherit;text-decoration:underline}button[disabled]{opacity:.6;cursor:progress}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(11rem,100%),1fr));gap:0 1rem}form.narrow{display:flex;flex-wrap:wrap;gap:1rem;align-items:end;margin-bottom:1rem}form.narrow label{margin:0}
[role=alert]{background:var(--warn-bg);color:var(--warn);border-radius:10px;padding:.6rem .9rem}
dl{margin:0}dl div{display:flex;gap:1rem;justify-content:space-between;border-top:1px solid var(--line);padding:.6rem 0}dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}caption{text-align:left;color:var(--soft);padding-bottom:.5rem}th,td{text-align:left;font-weight:400;padding:.6rem .9rem .6rem 0;border-top:1px solid var(--line);vertical-align:top}thead th{border:0;color:var(--soft);font-size:.85rem}
.long{position:relative;height:calc(var(--row)*8 + 2.4rem);overflow-y:auto;background:var(--sheet);border:1px solid var(--line);border-radius:14px;margin-bottom:1.25rem}
.long .top{position:sticky;top:0;z-index:1;background:var(--tint);color:var(--soft);font-size:.85rem}.long .top .line{height:2.4rem}
.long .lines{position:relative}.long .lines .line{position:absolute;left:0;right:0;height:var(--row);border-top:1px solid var(--line)}
.line{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);grid-template-columns:minmax(0,2fr);gap:0 1rem;align-items:center;padding:0 1rem;line-height:1.25;font-size:.95rem}.line>*{overflow:hidden;text-overflow:ellipsis}.line[aria-busy]{color:var(--soft)}.line a{display:inline-block;padding:.6rem .2rem}
@media (max-width:48rem){:root{--row:8.25rem}main{padding:1.5rem 1rem 2.5rem}header,footer{padding-inline:1rem}.long .top{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.long{height:calc(var(--row)*4)}
.line{grid-auto-flow:row;grid-template-columns:minmax(0,1fr) auto;align-content:center;gap:.1rem 1rem}.line>:first-child{grid-column:1/-1;font-weight:700}.line>*{white-space:nowrap}table thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}table tr{display:block;border-top:1px solid var(--line);padding:.75rem 0}table th,table td{display:flex;justify-content:space-between;gap:1rem;border:0;padding:.15rem 0;text-align:right}tbody th{font-weight:700}td::before{content:attr(data-label);color:var(--soft);text-align:left}td:empty{display:none}.sheet{padding:1.25rem}}
`;

/**
 * The clinic's own script: long lists draw about ten rows around what is in view and ask for others as they are scrolled;
 * what books is pressed once.
 */
const SCRIPT = `"use strict";
const SPARE = 1;
for (const list of document.querySelectorAll("[data-rows]")) {
  const body = list.querySelector(".lines");
  const rows = new Map();
  const asked = new Set();
  const drawn = new Map();
  let count = Number(list.getAttribute("aria-rowcount")) - 1;
  let rowPx = 0;
  const cell = (text, href) => {
    const box = document.createElement("span");
    box.setAttribute("role", "cell");
    if (href === undefined) box.textContent = text;
    else {
      const link = document.createElement("a");
      link.href = href;
      link.textContent = text;
      box.append(link);
    }
    return box;
  };
  const fill = (line, row) => {
    if (row === undefined) {
      line.setAttribute("aria-busy", "true");
      line.replaceChildren(cell("One moment"));
      return;
    }
    line.removeAttribute("aria-busy");
    line.replaceChildren(...row.cells.map((text, at) => cell(text, at === row.cells.length - 1 ? row.href : undefined)));
  };
  const ask = async (start) => {
    if (asked.has(start)) return;
    asked.add(start);
    const answer = await fetch(list.dataset.rows + "&start=" + start).catch(() => undefined);
    if (answer !== undefined && answer.redirected) return location.reload();
    if (answer === undefined || !answer.ok) {
      setTimeout(() => { asked.delete(start); draw(); }, 2000);
      return;
    }
    const got = await answer.json();
    if (got.total !== count) {
      count = got.total;
      list.setAttribute("aria-rowcount", String(count + 1));
      rows.clear();
      asked.clear();
    }
    got.rows.forEach((row, at) => {
      rows.set(got.start + at, row);
      const line = drawn.get(got.start + at);
      if (line !== undefined) fill(line, row);
    });
    draw();
  };
  const draw = () => {
    body.style.height = count * rowPx + "px";
    const above = body.offsetTop;
    const first = Math.max(0, Math.floor((list.scrollTop - above) / rowPx) - SPARE);
    const last = Math.min(count, Math.ceil((list.scrollTop + list.clientHeight - above) / rowPx) + SPARE);
    for (const [at, line] of drawn) {
      if (at >= first && at < last) continue;
      line.remove();
      drawn.delete(at);
    }
    for (let at = first; at < last; at += 1) {
      if (!rows.has(at)) ask(at - (at % 20));
      if (drawn.has(at)) continue;
      const line = document.createElement("div");
      line.className = "line";
      line.setAttribute("role", "row");
      line.setAttribute("aria-rowindex", String(at + 2));
      line.style.top = at * rowPx + "px";
      fill(line, rows.get(at));
      drawn.set(at, line);
      const after = [...body.children].find((each) => Number(each.getAttribute("aria-rowindex")) > at + 2);
      body.insertBefore(line, after ?? null);
    }
  };
  const measure = () => {
    const probe = document.createElement("div");
    probe.className = "line";
    body.append(probe);
    rowPx = probe.offsetHeight;
    probe.remove();
    for (const line of drawn.values()) line.remove();
    drawn.clear();
    draw();
  };
  list.addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", measure);
  measure();
}
for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button.strong");
  const text = button.textContent;
  form.addEventListener("submit", () => { button.disabled = true; button.textContent = "One moment"; });
  addEventListener("pageshow", () => { button.disabled = false; button.textContent = text; });
}
`;

const LEAF = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#1f6b46"/><path d="M9 23c0-9 5-14 15-15 0 10-5 15-13 14M9 24c2-5 5-8 9-11" fill="none" stroke="#e6f1e9" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const files = [
  ["clinic.css", "text/css; charset=utf-8", STYLE],
  ["clinic.js", "text/javascript; charset=utf-8", SCRIPT],
  ["leaf.svg", "image/svg+xml", LEAF],
] as const;

export const clinicAssetRoutes: readonly ClinicRoute[] = files.map(
  ([name, type, text]): ClinicRoute => ({
    method: "GET",
    path: `/files/${name}`,
    access: "anyone",
    handle: () => asset(type, text),
  }),
);

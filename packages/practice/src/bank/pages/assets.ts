import { asset } from "../../http/reply.ts";
import type { BankRoute } from "../route.ts";

const STYLE = `:root{color-scheme:light dark;--ink:#14202e;--soft:#55647a;--paper:#eef1f5;--panel:#fff;--line:#d3dae3;--blue:#123f73;--on:#fff;--warn:#8a2b0b;--warn-bg:#fdeee7}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf2;--soft:#a3b1c4;--paper:#0f1620;--panel:#18222f;--line:#324154;--blue:#8fb9ee;--on:#0c1828;--warn:#ffb79b;--warn-bg:#3a2117}}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:15px/1.5 "Segoe UI",system-ui,Arial,sans-serif}
.bar{background:var(--blue);color:var(--on);display:flex;flex-wrap:wrap;gap:.25rem 2rem;align-items:center;padding:.75rem 1.25rem}
.bar a{color:inherit;text-decoration:none}.name{display:flex;gap:.6rem;align-items:center;font-weight:700;font-size:1.1rem}
.bar nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;align-items:center}.bar nav a{padding:.5rem 0}.bar a[aria-current]{box-shadow:inset 0 -2px currentColor}
main{flex:1;width:100%;max-width:66rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
footer{color:var(--soft);font-size:.85rem;padding:1rem 1.25rem;border-top:1px solid var(--line)}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 1rem}h2{font-size:1.15rem;margin:0 0 .5rem}
a{color:var(--blue)}:focus-visible{outline:3px solid currentColor;outline-offset:2px}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:1.25rem;margin:0 0 1rem}
.narrow{max-width:27rem;margin-inline:auto}.scroll{overflow-x:auto}.note{color:var(--soft);font-size:.9rem}.big{font-size:1.5rem;margin:0}
label{display:block;font-weight:600;margin:0 0 .9rem}label[for]{margin-bottom:0}label[for]+select{margin-bottom:.9rem}
input,select{display:block;width:100%;margin-top:.25rem;font:inherit;font-weight:400;color:inherit;background:var(--panel);border:1px solid var(--soft);border-radius:4px;padding:.55rem .65rem;min-height:2.75rem}
button,.act{display:inline-block;font:inherit;font-weight:600;cursor:pointer;border:1px solid var(--line);border-radius:4px;background:var(--panel);color:var(--ink);padding:.55rem 1.1rem;min-height:2.75rem;text-decoration:none}
button.primary,.act{background:var(--blue);border-color:var(--blue);color:var(--on)}button.link{border:0;background:none;color:inherit;padding:.5rem 0;font-weight:400;text-decoration:underline}
button[disabled]{opacity:.6;cursor:progress}
.filter{display:flex;flex-wrap:wrap;gap:1rem;align-items:end}.filter label{margin:0}.pages{display:flex;gap:1rem}
table{width:100%;border-collapse:collapse}caption{text-align:left;font-weight:700;padding-bottom:.5rem}
th,td{text-align:left;font-weight:400;padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;color:var(--soft);font-size:.8rem}.num{text-align:right;padding-left:.75rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.facts th{width:13rem;color:var(--soft)}.facts td{overflow-wrap:anywhere}
dialog{border:1px solid var(--line);border-radius:6px;background:var(--panel);color:var(--ink);padding:1.5rem;max-width:26rem;width:calc(100% - 2rem)}dialog::backdrop{background:#0008}
.alert{background:var(--warn-bg);color:var(--warn);border-radius:4px;padding:.6rem .8rem}
@media (max-width:36rem){.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.stack tr{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem 1rem;border-top:1px solid var(--line);padding:.6rem 0}.stack th,.stack td{border:0;padding:0}.stack td:not(.num){color:var(--soft)}.stack .num{grid-column:2}.facts th{width:8.5rem}.panel{padding:1rem}}
`;

/** The bank's own script: what sends is behind a modal window, and is pressed once. */
const SCRIPT = `"use strict";
for (const opener of document.querySelectorAll("button[data-opens]")) {
  opener.addEventListener("click", () => document.getElementById(opener.dataset.opens).showModal());
}
for (const closer of document.querySelectorAll("button[data-closes]")) {
  closer.addEventListener("click", () => closer.closest("dialog").close());
}
for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button.primary");
  const text = button.textContent;
  form.addEventListener("submit", () => { button.disabled = true; button.textContent = "One moment"; });
  addEventListener("pageshow", () => { button.disabled = false; button.textContent = text; });
}
`;

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="6" fill="#e6ebf2"/><path d="M5 21h18M7 19v-7m5 7v-7m4 7v-7m5 7v-7M4 11l10-6 10 6z" fill="none" stroke="#123f73" stroke-width="2" stroke-linejoin="round"/></svg>`;

const files = [
  ["bank.css", "text/css; charset=utf-8", STYLE],
  ["bank.js", "text/javascript; charset=utf-8", SCRIPT],
  ["mark.svg", "image/svg+xml", MARK],
] as const;

export const bankAssetRoutes: readonly BankRoute[] = files.map(
  ([name, type, text]): BankRoute => ({
    method: "GET",
    path: `/assets/${name}`,
    access: "anyone",
    handle: () => asset(type, text),
  }),
);

import { asset } from "../../http/reply.ts";
import type { InsurerRoute } from "../route.ts";

const STYLE = `:root{color-scheme:light dark;--ink:#23222e;--soft:#67657a;--paper:#faf9fd;--card:#fff;--line:#dcd9ea;--violet:#5b3fb0;--on:#fff;--warn:#9a2440;--warn-bg:#fde8ee}
@media (prefers-color-scheme:dark){:root{--ink:#eae8f4;--soft:#aba8c0;--paper:#16151f;--card:#211f2d;--line:#3d3a52;--violet:#b9a4ff;--on:#1a1530;--warn:#ffb3c4;--warn-bg:#40202c}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Arial,sans-serif}
header{padding:.8rem 1.2rem;font-weight:700;color:var(--violet);border-bottom:1px solid var(--line)}header span{font-weight:400;color:var(--soft);margin-left:.6rem}
main{padding:1.2rem}h1{font-size:1.3rem;margin:0 0 .75rem}h2{font-size:1.15rem;margin:0 0 .75rem}
a{color:var(--violet)}:focus-visible{outline:3px solid var(--violet);outline-offset:2px}
dialog{border:1px solid var(--line);border-radius:14px;background:var(--card);color:var(--ink);padding:1.4rem;width:min(32rem,calc(100% - 1.5rem));max-height:none;box-shadow:0 12px 40px #0003}dialog:modal{position:absolute;inset-block:.75rem auto;margin-block:0 1rem}dialog::backdrop{background:#0005}
.steps{color:var(--soft);margin:0 0 .5rem;font-size:.85rem}
label{display:block;font-weight:600;margin:0 0 .9rem}label[for]{margin-bottom:0}label[for]+*{margin-bottom:.9rem}input,select,textarea{display:block;width:100%;margin-top:.3rem;font:inherit;font-weight:400;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:8px;padding:.55rem .7rem;min-height:2.75rem}textarea{min-height:8rem;resize:vertical}
.note{color:var(--soft);font-size:.85rem;margin:-.5rem 0 .9rem}
button,.act{display:inline-block;font:inherit;font-weight:600;cursor:pointer;border:1px solid var(--line);border-radius:8px;background:none;color:var(--violet);padding:.55rem 1.2rem;min-height:2.75rem;text-decoration:none}
button.main{background:var(--violet);border-color:var(--violet);color:var(--on)}button[disabled]{opacity:.6;cursor:progress}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin:1rem 0 0}
dl{margin:0}dl div{display:grid;grid-template-columns:10rem minmax(0,1fr);gap:.25rem 1rem;padding:.4rem 0;border-top:1px solid var(--line)}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
.alert{background:var(--warn-bg);color:var(--warn);border-radius:8px;padding:.6rem .8rem}
@media (max-width:28rem){dl div{grid-template-columns:1fr}dl div dt{font-size:.85rem}dialog{padding:1.1rem}}
`;

/** Each step is a window over the page; what sends is pressed once. */
const SCRIPT = `"use strict";
for (const step of document.querySelectorAll("dialog[open]")) {
  step.close();
  step.showModal();
  step.addEventListener("cancel", (event) => event.preventDefault());
}
for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button.main");
  const text = button.textContent;
  form.addEventListener("submit", () => { button.disabled = true; button.textContent = "One moment"; });
  addEventListener("pageshow", () => { button.disabled = false; button.textContent = text; });
}
`;

const files = [
  ["brightwell.css", "text/css; charset=utf-8", STYLE],
  ["brightwell.js", "text/javascript; charset=utf-8", SCRIPT],
] as const;

export const claimsAssetRoutes: readonly InsurerRoute[] = files.map(
  ([name, type, text]): InsurerRoute => ({
    method: "GET",
    path: `/assets/${name}`,
    access: "anyone",
    handle: () => asset(type, text),
  }),
);

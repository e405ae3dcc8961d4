import { asset } from "../../http/reply.ts";
import type { InsurerRoute } from "../route.ts";

const STYLE = `:root{color-scheme:light dark;--ink:#1d2a26;--soft:#5b6b65;--paper:#f6f3ec;--card:#fffdf8;--line:#ddd6c6;--green:#1f5c4a;--on:#fff;--warn:#8c2f1b;--warn-bg:#fbe9e2}
@media (prefers-color-scheme:dark){:root{--ink:#ece8dd;--soft:#a9b5ae;--paper:#141b18;--card:#1d2622;--line:#36443d;--green:#7cc4a6;--on:#0f1a16;--warn:#ffb8a3;--warn-bg:#3b2018}}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:16px/1.55 Georgia,"Times New Roman",serif}
header{display:flex;flex-wrap:wrap;gap:.25rem 2rem;align-items:center;justify-content:space-between;padding:1rem 1.5rem;border-bottom:3px double var(--line)}
.name{display:flex;gap:.7rem;align-items:center;color:var(--green);text-decoration:none;font-size:1.35rem;letter-spacing:.01em}
nav{display:flex;flex-wrap:wrap;gap:0 1.4rem;align-items:center}nav a{color:inherit;text-decoration:none;padding:.6rem 0}nav a:hover,nav a[aria-current]{text-decoration:underline;text-underline-offset:.35rem;text-decoration-thickness:2px}
main{flex:1;width:100%;max-width:56rem;margin:0 auto;padding:2rem 1.5rem 3rem}
footer{color:var(--soft);font-size:.85rem;padding:1rem 1.5rem;text-align:center}
h1{font-size:2rem;line-height:1.15;font-weight:400;margin:0 0 .75rem}h2{font-size:1.25rem;margin:0 0 .5rem}h3{font-size:1rem;margin:0 0 .5rem}
a{color:var(--green)}:focus-visible{outline:3px solid var(--green);outline-offset:3px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.4rem;margin:0 0 1.25rem}.slim{max-width:26rem;margin:1rem auto}
.soft{color:var(--soft);margin:0 0 1.25rem}.wide{overflow-x:auto}.plain{list-style:none;margin:1rem 0 2rem;padding:0}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.75rem 1.5rem;margin:0 0 .5rem}dt{color:var(--soft);font-size:.85rem}dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;margin-top:.75rem}caption{text-align:left;color:var(--soft);font-size:.9rem;padding-bottom:.25rem}
th,td{text-align:left;font-weight:400;padding:.5rem 1rem .5rem 0;border-top:1px solid var(--line);vertical-align:top;white-space:nowrap}thead th{border-top:0;color:var(--soft);font-size:.85rem}td:last-child{white-space:normal}
label{display:block;margin:0 0 1rem}
input{display:block;width:100%;margin-top:.3rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:8px;padding:.6rem .75rem;min-height:2.9rem}
button,.act{display:inline-block;font:inherit;cursor:pointer;border:1px solid var(--green);border-radius:999px;background:none;color:var(--green);padding:.6rem 1.5rem;min-height:2.9rem;text-decoration:none}
button.main,.act{background:var(--green);color:var(--on)}button.main{width:100%}button.quiet{border:0;padding:.6rem 0;color:inherit}
.alert{background:var(--warn-bg);color:var(--warn);border-radius:8px;padding:.7rem .9rem}
iframe{display:block;width:100%;height:44rem;border:1px solid var(--line);border-radius:10px;background:var(--card)}
@media (max-width:36rem){header{padding:.75rem 1rem .25rem}nav{gap:0 1.1rem;font-size:.95rem}dl{grid-template-columns:1fr 1fr}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{display:grid;grid-template-columns:1.4fr 1fr .7fr;gap:.1rem 1rem;border-top:1px solid var(--line);padding:.6rem 0}th,td{border:0;padding:0}tbody th,td:last-child{grid-column:1/-1;font-weight:700}td:last-child{font-weight:400;color:var(--soft)}td[data-is]::before{content:attr(data-is);display:block;color:var(--soft);font-size:.8rem}main{padding:1.25rem 1rem 2rem}.card{padding:1.1rem}h1{font-size:1.7rem}iframe{width:calc(100% + 1rem);margin-inline:-.5rem;height:46rem}}
`;

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M18 2l14 5v11c0 8-6 13-14 16C10 31 4 26 4 18V7z" fill="#1f5c4a"/><path d="M9 22c3-3 6-3 9 0s6 3 9 0M18 8v10m0 0l6-2c0-4-2-7-6-8" fill="none" stroke="#f6f3ec" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const files = [
  ["fairhaven.css", "text/css; charset=utf-8", STYLE],
  ["haven.svg", "image/svg+xml", MARK],
] as const;

export const insurerAssetRoutes: readonly InsurerRoute[] = files.map(
  ([name, type, text]): InsurerRoute => ({
    method: "GET",
    path: `/assets/${name}`,
    access: "anyone",
    handle: () => asset(type, text),
  }),
);

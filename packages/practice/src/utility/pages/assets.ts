import { asset } from "../../http/reply.ts";
import type { UtilityRoute } from "../route.ts";
import { SCRIPT } from "./script.ts";

const STYLE = `:root{color-scheme:light dark;--ink:#10212b;--soft:#4f6470;--paper:#f2f6f5;--panel:#fff;--line:#d5e0de;--deep:#0b3b46;--act:#0d6e6e;--on:#fff;--glow:#b8f0d4;--warn:#8f2f14;--warn-bg:#fdebe3;--good:#0c5c3b;--good-bg:#dff5e9}
@media (prefers-color-scheme:dark){:root{--ink:#e5f0ee;--soft:#9db4b4;--paper:#0a1518;--panel:#12232a;--line:#27414a;--deep:#06262e;--act:#7fe0c4;--on:#06231f;--glow:#1d5c53;--warn:#ffb99c;--warn-bg:#3c2118;--good:#a0ecc5;--good-bg:#123828}}
*{box-sizing:border-box}[hidden]{display:none}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:16px/1.55 "Avenir Next",Avenir,"Segoe UI",system-ui,sans-serif}
body>header{background:linear-gradient(100deg,#0b3b46,#0f5a5c 60%,#2b8a72);color:#fff;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.75rem;padding:.9rem 1.5rem}
body>header a,body>header button{color:inherit;text-decoration:none}.name{display:flex;align-items:center;gap:.6rem;font-weight:700;font-size:1.2rem;letter-spacing:.01em}
header nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;flex:1}header nav a{padding:.55rem 0;opacity:.85}header nav a[aria-current]{opacity:1;box-shadow:inset 0 -3px #b8f0d4}
main{flex:1;width:100%;max-width:72rem;margin:0 auto;padding:2rem 1.5rem 3rem}
footer{color:var(--soft);font-size:.875rem;padding:1rem 1.5rem;text-align:center}
h1{font-size:2rem;line-height:1.15;margin:0 0 1.25rem;font-weight:650;letter-spacing:-.01em}h1:focus{outline:none}h2{font-size:1.15rem;margin:0 0 .75rem}h3{font-size:.95rem;color:var(--soft);margin:1.5rem 0 .25rem}
main a{color:var(--act)}:focus-visible{outline:3px solid var(--act);outline-offset:2px;border-radius:4px}header :focus-visible{outline-color:#b8f0d4}
.card{background:var(--panel);border:1px solid var(--line);border-radius:16px;padding:1.5rem;margin:0 0 1rem}.narrow{max-width:28rem;margin-inline:auto}
.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(21rem,100%),1fr));align-items:start}.grid .card{margin:0}.above{margin-bottom:1rem}
.due dd{font-weight:700}.big{font-size:2.5rem;font-weight:650;margin:0;font-variant-numeric:tabular-nums}.note,small{color:var(--soft);font-size:.9rem}
dl{margin:0 0 1.25rem}dl div{display:grid;grid-template-columns:minmax(7rem,30%) 1fr;gap:1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
ul{list-style:none;margin:0 0 1rem;padding:0}li{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.5rem 0;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}.plans li>span:last-child{white-space:nowrap}
label{display:block;font-weight:600;margin:0 0 1rem}label[for]{margin-bottom:.3rem}main form label[for]+input,main form label[for]+select{margin:0 0 1rem}input,select{display:block;width:100%;margin-top:.3rem;font:inherit;font-weight:400;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:10px;padding:.6rem .75rem;min-height:2.9rem}
form{max-width:32rem}button,.acts .main{font:inherit;font-weight:600;cursor:pointer;border:1px solid var(--line);border-radius:999px;background:var(--panel);color:var(--ink);padding:.55rem 1.3rem;min-height:2.75rem;display:inline-block;text-decoration:none}
button.main,.acts a.main{background:var(--act);border-color:var(--act);color:var(--on)}button.quiet{border:0;background:none;padding:.55rem 0}button[disabled]{opacity:.6;cursor:progress}
.acts{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;margin:1rem 0 0}
table{width:100%;border-collapse:collapse;margin-bottom:1rem}caption{text-align:left;font-weight:600;padding-bottom:.5rem}th,td{text-align:left;font-weight:400;padding:.65rem .75rem .65rem 0;border-bottom:1px solid var(--line);vertical-align:top}thead th{color:var(--soft);font-size:.85rem}.num{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.badge{display:inline-block;white-space:nowrap;border-radius:999px;padding:.1rem .7rem;font-size:.85rem;background:var(--paper)}.badge.open,.badge.part_paid,.badge.overdue{background:var(--warn-bg);color:var(--warn)}.badge.paid,.badge.credit{background:var(--good-bg);color:var(--good)}
.alert{background:var(--warn-bg);color:var(--warn);border-radius:10px;padding:.7rem .9rem}.secret{background:var(--good-bg);border-radius:10px;padding:.7rem .9rem;overflow-wrap:anywhere}
svg rect{fill:var(--act)}svg text{fill:var(--soft);font-size:13px}main svg{width:100%;height:auto;max-height:12rem}
@media (max-width:52rem){main{padding:1.25rem 1rem 2rem}body>header{display:grid;grid-template-columns:1fr auto;padding:.6rem 1rem 0}header nav{grid-row:2;grid-column:1/-1;flex-wrap:nowrap;overflow-x:auto;margin-inline:-1rem;padding-inline:1rem}h1{font-size:1.6rem}.card{padding:1.1rem}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{display:block;border-bottom:1px solid var(--line);padding:.6rem 0}tbody th,td{display:flex;justify-content:space-between;gap:1rem;border:0;padding:.1rem 0;text-align:right;white-space:normal}tbody th::before,td::before{content:attr(data-label);color:var(--soft);text-align:left}tbody th{font-weight:600}tbody th::before{content:none}dl div{grid-template-columns:8rem 1fr}}
`;

const STAR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 30"><circle cx="15" cy="15" r="15" fill="#b8f0d4"/><path d="M15 3l2.6 9.4L27 15l-9.4 2.6L15 27l-2.6-9.4L3 15l9.4-2.6z" fill="#0b3b46"/></svg>`;

const files = [
  ["northlight.css", "text/css; charset=utf-8", STYLE],
  ["app.js", "text/javascript; charset=utf-8", SCRIPT],
  ["star.svg", "image/svg+xml", STAR],
] as const;

export const utilityAssetRoutes: readonly UtilityRoute[] = files.map(
  ([name, type, text]): UtilityRoute => ({
    method: "GET",
    path: `/assets/${name}`,
    access: "anyone",
    handle: () => asset(type, text),
  }),
);

import { asset } from "../../http/reply.ts";
import type { LanternRoute } from "../route.ts";

const STYLE = `:root{color-scheme:dark;--ink:#f4f1ea;--soft:#b3aec0;--paper:#14111f;--card:#1f1a2e;--raised:#2a233d;--line:#3b3252;--glow:#ffb545;--on:#241500;--warn:#ffb4a2;--warn-bg:#43211f}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:radial-gradient(60rem 26rem at 50% -12rem,#43305e 0,transparent 70%) no-repeat,var(--paper);color:var(--ink);font:16px/1.55 "Avenir Next","Nunito Sans",Avenir,system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.75rem;align-items:center;width:100%;max-width:64rem;margin:0 auto;padding:1rem 1.25rem}
header a{color:inherit;text-decoration:none}.brand{display:flex;gap:.6rem;align-items:center;font-weight:800;font-size:1.3rem;letter-spacing:-.02em;margin-right:auto}
nav{display:flex;flex-wrap:wrap;gap:0 1.4rem;align-items:center;color:var(--soft)}nav a{padding:.6rem 0}nav a[aria-current]{color:var(--ink);box-shadow:inset 0 -2px var(--glow)}
main{flex:1;width:100%;max-width:64rem;margin:0 auto;padding:1.25rem 1.25rem 4rem}main.slim{max-width:37rem}
footer{color:var(--soft);font-size:.85rem;text-align:center;padding:1.25rem}
h1{font-size:clamp(1.7rem,1.2rem + 2vw,2.4rem);line-height:1.15;letter-spacing:-.02em;margin:.5rem 0 1.25rem}h2{font-size:1.2rem;margin:0}p{margin:.5rem 0}
a{color:var(--glow)}:focus-visible{outline:3px solid var(--glow);outline-offset:3px;border-radius:4px}
.soft{color:var(--soft)}.steps{color:var(--soft);font-size:.9rem;margin:0}.steps+.offer{margin-top:1rem}
.shelf{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1.1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:1.4rem;display:flex;flex-direction:column;gap:.9rem}
.card .acts{margin:auto 0 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}.card .acts a{padding:.5rem 0}
dl{margin:0;display:grid;grid-template-columns:minmax(6.5rem,max-content) minmax(0,1fr);gap:.45rem 1.25rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.facts{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:1.4rem}
form{margin:1.5rem 0 0}nav form{margin:0}label{display:block;font-weight:600;margin:0 0 1rem}fieldset{border:0;margin:0 0 1.25rem;padding:0}legend{font-weight:600;padding:0 0 .6rem}
input:not([type=radio],[type=checkbox]){display:block;width:100%;margin-top:.35rem;font:inherit;font-weight:400;color:inherit;background:var(--card);border:1px solid #6d6190;border-radius:10px;padding:.65rem .8rem;min-height:3rem}
input[type=radio],input[type=checkbox]{accent-color:var(--glow);width:1.2rem;height:1.2rem;margin:.2rem 0 0;flex:none}
label.tick,label.choice{display:flex;gap:.8rem;font-weight:400;align-items:flex-start}label.choice{padding:.5rem 0;margin:0}
label.plan{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:.1rem .9rem;align-items:start;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.1rem;margin:0 0 .7rem;cursor:pointer}
label.plan:has(:checked){border-color:var(--glow);background:var(--raised)}label.plan small{grid-column:2/-1;color:var(--soft);font-weight:400;font-size:.92rem}
button,.act{display:inline-block;font:inherit;font-weight:700;cursor:pointer;border:1px solid #6d6190;border-radius:999px;background:none;color:var(--ink);padding:.65rem 1.5rem;min-height:3rem;text-decoration:none}
button.glow,.act.glow{background:var(--glow);border-color:var(--glow);color:var(--on)}button.plain{border:0;color:inherit;font-weight:400;padding:.6rem 0}
.offer{background:linear-gradient(150deg,#4a3468,#2a233d);border:1px solid var(--line);border-radius:20px;padding:1.75rem}.offer form{margin:1.25rem 0 0}.offer p{font-size:1.1rem}
.ways{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;margin-top:1.5rem}
.alert{background:var(--warn-bg);color:var(--warn);border-radius:10px;padding:.75rem 1rem}
.tag{justify-self:start;background:var(--raised);border-radius:999px;padding:.05rem .7rem;font-size:.88rem}
@media (max-width:30rem){.facts dl{grid-template-columns:1fr;gap:0}.facts dd{margin:0 0 .6rem}.facts,.card,.offer{padding:1.15rem}button.glow,.ways .act{width:100%;text-align:center}label.plan{grid-template-columns:auto minmax(0,1fr)}label.plan b{grid-column:2}}
`;

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 2v4M10 8h12l-2 3h-8zM9 27h14v2H9z" fill="#ffb545" stroke="#ffb545" stroke-width="1.6"/><path d="M11 12h10l2 13H9z" fill="none" stroke="#ffb545" stroke-width="1.8"/><path d="M16 15c3 3 2.4 7 0 7s-3-4 0-7z" fill="#ffb545"/></svg>`;

const files = [
  ["lantern.css", "text/css; charset=utf-8", STYLE],
  ["lantern.svg", "image/svg+xml", MARK],
] as const;

export const lanternAssetRoutes: readonly LanternRoute[] = files.map(
  ([name, type, text]): LanternRoute => ({
    method: "GET",
    path: `/assets/${name}`,
    access: "anyone",
    handle: () => asset(type, text),
  }),
);

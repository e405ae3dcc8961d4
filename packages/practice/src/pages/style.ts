/** The shop's own style sheet. */
export const STYLE = `:root{color-scheme:light dark;--ink:#1d2421;--soft:#5a655f;--paper:#f6f5f0;--card:#fff;--line:#dcdcd2;--green:#1f5c45;--on-green:#fff;--warn-bg:#fdf0e4;--warn:#7a3b00;--note-bg:#e8f1ec}
@media (prefers-color-scheme:dark){:root{--ink:#e8ece9;--soft:#a5b0aa;--paper:#141917;--card:#1d2421;--line:#38423d;--green:#7cc7a6;--on-green:#0d1f17;--warn-bg:#3a2a1a;--warn:#ffc98f;--note-bg:#22332b}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.wide{width:100%;max-width:64rem;margin:0 auto;padding:0 1rem}
header{background:var(--card);border-bottom:1px solid var(--line)}
header .wide{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;justify-content:space-between;padding-block:.75rem}
.brand{font-weight:700;font-size:1.2rem;color:var(--green);text-decoration:none;letter-spacing:-.01em}
nav{display:flex;flex-wrap:wrap;align-items:center;gap:0 1.1rem}
nav a{color:var(--ink);text-decoration:none;padding:.4rem 0}
nav a[aria-current]{box-shadow:inset 0 -2px var(--green)}
main.wide{padding-block:1.5rem 3rem;flex:1}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.875rem;padding:1rem 0}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1rem;letter-spacing:-.02em}
h2{font-size:1.1rem;line-height:1.3;margin:0 0 .5rem}
a{color:var(--green)}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.5rem}
:focus-visible{outline:3px solid var(--green);outline-offset:2px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem;margin:0 0 1rem}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
.narrow{max-width:26rem;margin-inline:auto}
.grid{list-style:none;margin:0;padding:0;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr))}
.product{margin:0}.product a{text-decoration:none;color:inherit}.product h2{margin-top:.75rem}.product p{margin:.25rem 0}
.product img,.split img{display:block;width:100%;height:auto;border-radius:8px;background:var(--note-bg)}
.split{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));align-items:start}
.plain{list-style:none;margin:0;padding:0}
.wish{display:grid;grid-template-columns:10rem 1fr;gap:1.25rem;align-items:start}.wish img{display:block;width:100%;height:auto;border-radius:8px;background:var(--note-bg)}.wish dl{margin-bottom:0}
@media (max-width:36rem){.wish{grid-template-columns:3.5rem 1fr;gap:.9rem}main .wish dl div{grid-template-columns:5.2rem 1fr}}
.price{font-weight:700}.small{color:var(--soft);font-size:.875rem}
.tag{font-weight:400;font-size:.8rem;border:1px solid var(--line);border-radius:99px;padding:.1rem .6rem;margin-left:.4rem}
label{display:block;font-weight:600;margin:.75rem 0 .25rem}
input:not([type=radio]),select,textarea{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:8px;padding:.55rem .7rem}
input[type=number]{max-width:7rem}.cart input[type=number]{width:4.5rem}
button,.button{display:inline-block;font:inherit;font-weight:600;cursor:pointer;text-decoration:none;border-radius:8px;border:1px solid var(--line);background:transparent;color:var(--ink);padding:.55rem 1rem;min-height:2.75rem}
button.main,.button.main{background:var(--green);border-color:var(--green);color:var(--on-green);margin-top:1rem}
form>button.main{width:100%}button[disabled]{opacity:.6;cursor:progress}
button.quiet{border:0;padding:.4rem 0;font-weight:400;text-decoration:underline;color:var(--soft)}
.inline{display:inline-flex;gap:.5rem;align-items:center;margin-right:1rem}
fieldset{border:0;padding:0;margin:0 0 1rem}legend{font-weight:700;padding:0;margin-bottom:.25rem}
.choice{display:flex;gap:.75rem;align-items:flex-start;font-weight:400;border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem;margin:.4rem 0;cursor:pointer}
.choice:has(input:checked){border-color:var(--green);box-shadow:inset 0 0 0 1px var(--green)}
.choice input{margin-top:.35rem;accent-color:var(--green)}
.checkout{display:grid;gap:1rem;align-items:start}@media (min-width:60rem){.checkout{grid-template-columns:2fr 3fr}}
.checkout [data-without-script]{margin-top:1rem}
table{width:100%;border-collapse:collapse}caption{text-align:left;font-weight:700;padding:.5rem 0}
th,td{text-align:left;padding:.5rem .5rem .5rem 0;border-top:1px solid var(--line);vertical-align:top;font-weight:400}
thead th{border-top:0;color:var(--soft);font-size:.8rem}
td:last-child,thead th:last-child{text-align:right;padding-right:0;white-space:nowrap}
.total th,.total td{font-weight:700;font-size:1.1rem}
dl{margin:0 0 1rem;display:grid;gap:.35rem}dl div{display:grid;grid-template-columns:9rem 1fr;column-gap:.5rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.alert{background:var(--warn-bg);color:var(--warn);border-radius:8px;padding:.6rem .8rem}
.notice{background:var(--note-bg);border-radius:8px;padding:.6rem .8rem;font-weight:600}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:36rem){.card{padding:1rem}dl div{grid-template-columns:6.5rem 1fr}.lines th,.lines td{font-size:.85rem;padding-right:.4rem}.lines thead th{font-size:.7rem}.lines td:nth-child(2){overflow-wrap:anywhere;min-width:3.6rem}.lines td:last-child,.lines thead th:last-child{padding-right:0}.inline{margin:.2rem 0}.cart .inline{flex-wrap:wrap}}
`;

/**
 * The site's one script: asks for JSON with the session's cookie and draws the view that the address names (History
 * API). Nothing of it is in the document, so what stands there comes late. It writes text, never markup.
 */
export const SCRIPT = String.raw`"use strict";
const main = document.querySelector("main");
const csrf = document.querySelector('meta[name="csrf-token"]').content;
const LANGUAGE = "en-IE";

// Drawing

const el = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== undefined));
  return node;
};
const link = (href, text, attributes) => el("a", { href, ...attributes }, text);
const card = (...children) => el("section", { class: "card" }, ...children);
const euro = (cents) => new Intl.NumberFormat(LANGUAGE, { style: "currency", currency: "EUR" }).format(cents / 100);
const dayFormat = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const day = (iso) => dayFormat.format(new Date(iso.slice(0, 10) + "T00:00:00Z"));
const facts = (rows) =>
  el("dl", {}, rows.map(([term, text]) => el("div", { class: term === "Total" ? "due" : undefined }, el("dt", {}, term), el("dd", {}, text))));
const NUMBERS = new Set(["Total", "Still to pay", "Cost", "Used", "Amount", "Fee"]);

const rowOf = (columns, cells) =>
  el("tr", {}, cells.map((cell, at) => {
    const attributes = { "data-label": columns[at], class: NUMBERS.has(columns[at]) ? "num" : undefined };
    return el(at === 0 ? "th" : "td", at === 0 ? { scope: "row", ...attributes } : attributes, cell);
  }));
const tableOf = (caption, columns, rows) =>
  el("table", {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col", class: NUMBERS.has(name) ? "num" : undefined }, name)))),
    el("tbody", {}, rows.map((cells) => rowOf(columns, cells))));

// Asking

class Told extends Error {}

const ask = async (path, body) => {
  const answer = await fetch("/data" + path, {
    redirect: "error",
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json", "x-csrf-token": csrf }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const said = await answer.json().catch(() => undefined);
  if (answer.status === 401) {
    location.assign("/sign-in?next=" + encodeURIComponent(location.pathname));
    return new Promise(() => {});
  }
  if (!answer.ok || said === undefined) throw new Told(said?.errors?.[0]?.message ?? "This is not available at the moment.");
  return said;
};

const problemOf = (error) => (error instanceof Told ? error.message : "The connection broke. Nothing more is known.");

/** A list that comes page by page, and the button that asks for the next one. */
const pagedTable = async (path, name, caption, columns, cellsOf, older, none) => {
  const at = (page) => ask(path + (path.includes("?") ? "&" : "?") + "page=" + page);
  const first = await at(1);
  if (first[name].length === 0) return card(el("h2", {}, caption), el("p", {}, none));
  const table = tableOf(caption, columns, first[name].map(cellsOf));
  let { page, pages } = first;
  const more = el("button", { type: "button", click: async () => {
    more.disabled = true;
    table.setAttribute("aria-busy", "true");
    const next = await at(page + 1).catch(() => undefined);
    more.disabled = false;
    table.removeAttribute("aria-busy");
    if (next === undefined) return;
    page = next.page;
    table.tBodies[0].append(...next[name].map((row) => rowOf(columns, cellsOf(row))));
    if (page >= pages) more.remove();
  } }, older);
  return card(table, pages > 1 ? more : undefined);
};

/** A form whose sending is told while it lasts; what goes wrong stands above it. */
const formOf = (fields, button, send) => {
  const alert = el("p", { role: "alert", class: "alert", hidden: "" });
  const press = el("button", { class: "main" }, button);
  return el("form", { submit: async (event) => {
    event.preventDefault();
    press.disabled = true;
    press.textContent = "One moment…";
    alert.hidden = true;
    try {
      await send(new FormData(event.target));
    } catch (error) {
      alert.textContent = problemOf(error);
      alert.hidden = false;
    }
    press.disabled = false;
    press.textContent = button;
  } }, alert, ...fields, press);
};
const field = (label, control) => {
  control.id = "field-" + control.name;
  return [el("label", { for: control.id }, label), control];
};
const choice = (name, options, chosen) =>
  el("select", { name }, options.map(([value, text]) => el("option", { value, ...(value === chosen ? { selected: "" } : {}) }, text)));

// Views

const STATES = { open: "To pay", part_paid: "Paid in part", paid: "Paid", overdue: "Overdue", credit: "Credit" };
const KINDS = { electricity: "Electricity", gas: "Gas" };
const badge = (status) => el("span", { class: "badge " + status }, STATES[status]);

const overview = async () => {
  const [customer, { bills }, { contracts }, usage] = await Promise.all([
    ask("/customer"), ask("/bills?show=to_pay"), ask("/contracts"), ask("/usage?contract=447103"),
  ]);
  const total = bills.reduce((cents, bill) => cents + bill.payable_cents, 0);
  return ["Hello, " + customer.name.split(" ")[0], el("div", { class: "grid" },
    card(el("h2", {}, "To pay"), el("p", { class: "big" }, euro(total)),
      el("ul", {}, bills.filter((bill) => bill.payable_cents > 0).map((bill) => el("li", {}, link("/bills/" + bill.id, bill.title), el("span", {}, euro(bill.payable_cents))))),
      link("/bills", "All bills")),
    card(el("h2", {}, "Electricity used"), chart(usage.usage.toReversed()), link("/usage", "All usage")),
    card(el("h2", {}, "Your contracts"), contracts.map((each) => el("p", {}, el("strong", {}, each.title), el("br"), each.plan.name)), link("/contracts", "Contracts")))];
};

const chart = (rows) => {
  const SVG = "http://www.w3.org/2000/svg";
  const most = Math.max(...rows.map((row) => Number(row.used)));
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 " + rows.length * 40 + " 120");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", rows.map((row) => day(row.from).split(" ")[1] + " " + row.used + " " + row.unit).join(", "));
  rows.forEach((row, at) => {
    const height = (Number(row.used) / most) * 90;
    const bar = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x: at * 40 + 6, y: 98 - height, width: 28, height, rx: 4 })) bar.setAttribute(name, String(value));
    const text = document.createElementNS(SVG, "text");
    for (const [name, value] of Object.entries({ x: at * 40 + 20, y: 116, "text-anchor": "middle" })) text.setAttribute(name, String(value));
    text.textContent = day(row.from).split(" ")[1].slice(0, 3);
    picture.append(bar, text);
  });
  return picture;
};

const billsView = async () => ["Bills", await pagedTable("/bills", "bills", "Your bills",
  ["Bill", "Number", "Contract", "Issued", "Due", "Total", "Still to pay", "State"],
  (bill) => [link("/bills/" + bill.id, bill.title), bill.number, bill.contract, day(bill.issued_on), day(bill.due_on), euro(bill.total_cents), euro(bill.open_cents), badge(bill.status)],
  "Show older bills", "There is no bill yet.")];

const billView = async (id) => {
  const bill = await ask("/bills/" + id);
  return [bill.title, card(
    facts([["Bill number", bill.number], ["Contract", bill.contract], ["Period", day(bill.period.from) + " to " + day(bill.period.to)], ["Issued on", day(bill.issued_on)], ["Due on", day(bill.due_on)], ["Total", euro(bill.total_cents)], ["Still to pay", euro(bill.open_cents)], ["State", STATES[bill.status]]]),
    el("p", { class: "acts" },
      bill.payable_cents > 0 ? link("/bills/" + id + "/pay", "Pay this bill", { class: "main" }) : undefined,
      link("/bills/" + id + "/bill.pdf", "Download bill (PDF)", { download: "" })))];
};

const payView = async (id) => {
  const [bill, customer] = await Promise.all([ask("/bills/" + id), ask("/customer")]);
  if (bill.payable_cents <= 0) return ["Nothing to pay", card(el("p", {}, "Nothing is to be paid of this bill."), link("/bills/" + id, "The bill"))];
  return ["Pay a bill", card(
    facts([["Bill", bill.title], ["Bill number", bill.number], ["To pay", euro(bill.payable_cents)], ["Due on", day(bill.due_on)]]),
    formOf([
      field("Pay with", choice("method", customer.payment_methods.map((each) => [each.id, each.label]), customer.preset_method)),
      field("Pay on", el("input", { name: "on", type: "date" })),
      el("p", { class: "note" }, "Leave the day empty to pay today. A fee may apply to some ways to pay; you see it on the next page."),
      field("Your reference", el("input", { name: "reference", maxlength: "35", autocomplete: "off" })),
    ], "Go on", async (form) => {
      const on = form.get("on");
      const made = await ask("/drafts", { kind: "payment", bill: id, method: form.get("method"), reference: form.get("reference").trim(), ...(on === "" ? {} : { on }) });
      go("/check/" + made.draft);
    }))];
};

const checkView = async (id) => {
  const draft = await ask("/drafts/" + id);
  if (draft.kind === "payment") return ["Check and pay", card(
    facts([["Bill", draft.bill.title], ["Bill number", draft.bill.number], ["Due on", day(draft.bill.due_on)], ["Still to pay", euro(draft.bill.open_cents)], ["Amount", euro(draft.amount_cents)], ["Fee", euro(draft.fee_cents)], ["Total", euro(draft.total_cents)], ["Pay with", draft.method_label], ["Paid on", day(draft.pay_on)], ["Your reference", draft.reference]]),
    formOf([], "Pay " + euro(draft.total_cents), async () => go("/payments/" + (await ask("/payments", { draft: id })).number)),
    el("p", {}, link("/bills/" + draft.bill.id + "/pay", "Change something")))];
  if (draft.kind !== "autopay") throw new Told("This cannot be shown here.");
  const on = draft.autopay === "on";
  return ["Check the change", card(
    facts([["Contract", draft.contract_title], ["Bills are paid by themselves", draft.autopay], ["Until now", draft.present], ...(on ? [["Charged to", draft.method_label], ["When it is charged", draft.charged], ["For the first time on", day(draft.first_on)], ["You agree", draft.mandate]] : []), ["Your reference", draft.reference]]),
    formOf([], on ? "Turn on automatic payment" : "Turn off automatic payment", async () => { await ask("/autopay", { draft: id }); go("/contracts"); }),
    el("p", {}, link("/contracts", "Not now")))];
};

const usageView = async () => ["Usage", await pagedTable("/usage", "usage", "Usage by month",
  ["Month", "Kind", "Contract", "From", "To", "Used", "Reading", "Cost"],
  (row) => [day(row.from).split(" ").slice(1).join(" "), KINDS[row.kind], row.contract, day(row.from), day(row.to), row.used + " " + row.unit, row.estimated ? "Estimated" : "Read", euro(row.cost_cents)],
  "Show older months", "Nothing was used yet.")];

const contractsView = async () => {
  const { contracts } = await ask("/contracts");
  const plans = await Promise.all(contracts.map((each) => ask("/contracts/" + each.id + "/plans")));
  const changes = await pagedTable("/changes", "changes", "Changes",
    ["Change", "Contract", "Made on", "To", "Your reference"],
    (each) => [each.number, each.contract, day(each.made_at), wordsOf(each), each.reference],
    "Show older changes", "Nothing was changed yet.");
  return ["Contracts", el("div", {}, el("div", { class: "grid above" }, contracts.map((each, at) => card(
    el("h2", {}, each.title),
    facts([["Contract number", each.id], ["Supplied to", each.place], ["Meter", each.meter], ["Plan", each.plan.name], ...(each.next === undefined ? [] : [["Announced", each.next.name + " from " + day(each.next.starts_on)]]),
      ["Automatic payment", each.autopay.state], ...(each.autopay.state === "off" ? [] : [["Charged to", each.autopay.method_label], ["Next on", day(each.autopay.first_on)]])]),
    el("p", { class: "acts" }, link("/contracts/" + each.id + "/autopay", "Automatic payment")),
    el("h3", {}, "Plans on offer"),
    el("ul", { class: "plans" }, plans[at].plans.map((plan) => el("li", {}, el("span", {}, el("strong", {}, plan.name), el("br"), el("small", {}, plan.text)), el("span", {}, euro(plan.price_cents) + " a month"))))))), changes)];
};
const wordsOf = (each) =>
  each.kind === "plan"
    ? "Plan " + each.plan_name + " from " + day(each.starts_on)
    : each.autopay === "on"
      ? "Automatic payment on, " + each.method_label + ", from " + day(each.first_on)
      : "Automatic payment off";

const autopayView = async (id) => {
  const [{ contracts }, customer] = await Promise.all([ask("/contracts"), ask("/customer")]);
  const contract = contracts.find((each) => each.id === id);
  if (contract === undefined) throw new Told("There is no such contract.");
  return ["Automatic payment", card(
    facts([["Contract", contract.title], ["Contract number", contract.id], ["Automatic payment", contract.autopay.state]]),
    formOf([
      field("Pay bills by themselves", choice("autopay", [["on", "Yes"], ["off", "No"]], contract.autopay.state)),
      field("Charge to", choice("method", customer.payment_methods.map((each) => [each.id, each.label]), customer.preset_method)),
      field("Your reference", el("input", { name: "reference", maxlength: "35", autocomplete: "off" })),
    ], "Go on", async (form) => {
      const autopay = form.get("autopay");
      const made = await ask("/drafts", { kind: "autopay", contract: id, autopay, reference: form.get("reference").trim(), ...(autopay === "on" ? { method: form.get("method") } : {}) });
      go("/check/" + made.draft);
    }))];
};

const PAYMENT_STATES = { paid: "Paid", scheduled: "Scheduled" };
const stateOf = (payment) => (payment.taken_back ? "Taken back by your bank" : PAYMENT_STATES[payment.status]);

const paymentsView = async () => ["Payments", await pagedTable("/payments", "payments", "Your payments",
  ["Payment", "Bill", "State", "Paid on", "Paid with", "Your reference", "Amount", "Fee", "Total"],
  (each) => [link("/payments/" + each.number, each.number), "NL-" + each.bill, stateOf(each), day(each.pay_on), each.method_label, each.reference, euro(each.amount_cents), euro(each.fee_cents), euro(each.total_cents)],
  "Show older payments", "You have paid nothing here yet.")];

const paymentView = async (number) => {
  const each = await ask("/payments/" + number);
  return ["Payment " + each.number, card(
    el("p", {}, each.status === "scheduled" ? "Your payment is scheduled." : "Thank you. Your payment has come in."),
    facts([["Bill number", "NL-" + each.bill], ["State", stateOf(each)], ["Amount", euro(each.amount_cents)], ["Fee", euro(each.fee_cents)], ["Total", euro(each.total_cents)], ["Paid with", each.method_label], ["Paid on", day(each.pay_on)], ["Your reference", each.reference]]),
    link("/payments", "All payments"))];
};

const settingsView = async () => {
  const [customer, { keys }] = await Promise.all([ask("/customer"), ask("/keys")]);
  const shown = el("p", { role: "status", class: "secret", hidden: "" });
  const kept = el("p", { role: "status", class: "note", hidden: "" }, "Kept.");
  const list = el("ul", {}, keys.map((key) => keyRow(key)));
  return ["Settings", el("div", { class: "grid" },
    card(el("h2", {}, "You"), facts([["Name", customer.name], ["Customer number", customer.customer_number]])),
    card(el("h2", {}, "How you pay"), formOf([field("Preset payment method", choice("method", customer.payment_methods.map((each) => [each.id, each.label]), customer.preset_method))], "Keep",
      async (form) => { await ask("/preset-method", { method: form.get("method") }); kept.hidden = false; }), kept),
    card(el("h2", {}, "API keys"), el("p", { class: "note" }, "A program that has a key can see your bills and usage, pay, and change your contracts in your name. It is sent in the header X-Northlight-Key."),
      list, shown,
      formOf([field("Name of the new key", el("input", { name: "name", maxlength: "40", required: "", autocomplete: "off" }))], "Make a key", async (form) => {
        const made = await ask("/keys", { name: form.get("name") });
        shown.replaceChildren("Copy it now, it is shown only once: ", el("code", {}, made.key));
        shown.hidden = false;
        list.append(keyRow(made));
      })))];
};
const keyRow = (key) => {
  const row = el("li", {}, el("span", {}, el("strong", {}, key.name), el("br"), el("small", {}, "ends with " + key.ending + ", made on " + day(key.made_at))),
    el("button", { type: "button", click: async () => { await ask("/keys/" + key.id + "/revoke", {}); row.remove(); } }, "Revoke"));
  return row;
};

// Going about

const VIEWS = [
  [/^\/$/, overview],
  [/^\/bills$/, billsView],
  [/^\/bills\/([^/]+)$/, billView],
  [/^\/bills\/([^/]+)\/pay$/, payView],
  [/^\/check\/([^/]+)$/, checkView],
  [/^\/usage$/, usageView],
  [/^\/contracts$/, contractsView],
  [/^\/contracts\/([^/]+)\/autopay$/, autopayView],
  [/^\/payments$/, paymentsView],
  [/^\/payments\/([^/]+)$/, paymentView],
  [/^\/settings$/, settingsView],
];

let turn = 0;
const show = async () => {
  const mine = ++turn;
  const path = location.pathname;
  for (const each of document.querySelectorAll("header nav a")) {
    const at = each.getAttribute("href");
    if (at === path || (at !== "/" && path.startsWith(at + "/"))) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  main.setAttribute("aria-busy", "true");
  main.replaceChildren(el("p", { role: "status" }, "Loading…"));
  let drawn;
  try {
    const [, draw] = VIEWS.find(([pattern]) => pattern.test(path)) ?? [];
    if (draw === undefined) throw new Told("There is nothing at this address.");
    const [pattern] = VIEWS.find(([each]) => each.test(path));
    drawn = await draw(...pattern.exec(path).slice(1).map(decodeURIComponent));
  } catch (error) {
    drawn = ["This did not work", card(el("p", { role: "alert" }, problemOf(error)), el("button", { type: "button", click: show }, "Try again"))];
  }
  // Somebody has gone on meanwhile: a late answer draws nothing.
  if (mine !== turn) return;
  const [title, body] = drawn;
  document.title = title + " · Northlight Energy";
  const heading = el("h1", { tabindex: "-1" }, title);
  main.replaceChildren(heading, body);
  main.removeAttribute("aria-busy");
  if (mine > 1) heading.focus();
};
const go = (path) => {
  history.pushState(null, "", path);
  scrollTo(0, 0);
  show();
};
addEventListener("popstate", show);
document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[href]");
  if (anchor === null || anchor === undefined || anchor.hasAttribute("download")) return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const to = new URL(anchor.href);
  if (to.origin !== location.origin) return;
  event.preventDefault();
  go(to.pathname);
});
show();
`;

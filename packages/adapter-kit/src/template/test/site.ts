import type { CheckSite, Effect, FaultName } from "@countersign/adapter-kit";

// A tiny site in memory, to try the adapter at: it signs people in, writes bills and takes payments, and has a switch for
// what only a site can bring about. Put the real site's sandbox in its place when you have one: leave `handle` out, and
// the requests go to `origin`.

const ORIGIN = "https://power.example";
const PERSON = { email: "alex@mail.example", password: "correct horse 42" };

interface MadePayment {
  readonly number: string;
  readonly bill: string;
  readonly totalMinor: number;
  readonly reference: string | null;
  readonly waiting: boolean;
  /** By the API, and not by the person elsewhere. */
  readonly ours: boolean;
}

interface State {
  readonly tokens: Set<string>;
  readonly payments: MadePayment[];
  readonly faults: Set<FaultName>;
  serial: number;
}

const BILLS = [
  {
    id: "bl_2611",
    number: "2026-11-00418",
    title: "Electricity, November",
    issued: "20 November 2026",
    minor: 108_640,
  },
  { id: "bl_2610", number: "2026-10-00377", title: "Electricity, October", issued: "20 October 2026", minor: 7_912 },
];
const FEE_MINOR = 35;

export function openSite(): CheckSite {
  let state = begin();
  return {
    origin: ORIGIN,
    handle: async (request) => answer(state, request),
    person: () => [PERSON],
    personal: () => ["Alex Example"],
    reset: () => {
      state = begin();
    },
    fault(name) {
      if (name === "ended_session") state.tokens.clear();
      else if (name === "changed_terms" || name === "second_factor") state.faults.add(name);
      else return false;
      return true;
    },
    effects: (operation) => (operation === "utilities.bill.pay" ? effectsOf(state) : []),
    elsewhere(_operation, which) {
      pay(state, { bill: which === "equal" ? "bl_2611" : "bl_2610", reference: null, waiting: false, ours: false });
      return true;
    },
    close: async () => {},
  };
}

function begin(): State {
  return { tokens: new Set(), payments: [], faults: new Set(), serial: 0 };
}

function effectsOf(state: State): readonly Effect[] {
  return state.payments
    .filter((each) => each.ours && !each.waiting)
    .map(({ number, bill, totalMinor }) => ({ ref: number, facts: { bill_ref: bill, total_minor: totalMinor } }));
}

async function answer(state: State, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const at = `${request.method} ${pathname}`;
  if (at === "POST /api/session") {
    const { email, password } = (await request.json()) as Record<string, unknown>;
    if (email !== PERSON.email || password !== PERSON.password) return json(401, { error: "unknown_person" });
    const token = `token-${"0123456789abcdef".repeat(2)}-${++state.serial}`;
    state.tokens.add(token);
    return json(200, { token });
  }
  const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
  if (!state.tokens.has(token)) return json(401, { error: "signed_out" });
  if (at === "GET /api/me")
    return json(200, { id: "c_771", name: "Alex Example", methods: [{ id: "pm_1", label: "card ending 4242" }] });
  if (at === "GET /api/bills") return json(200, { bills: BILLS.map((bill) => shownBill(state, bill.id)) });
  if (at === "GET /api/payments") return json(200, { payments: state.payments.filter((p) => !p.waiting).map(shown) });
  if (at === "POST /api/payments") return takePayment(state, (await request.json()) as Record<string, unknown>);
  const billId = /^\/api\/bills\/([^/]+)\/payment$/.exec(pathname)?.[1];
  return billId === undefined ? json(404, { error: "not_found" }) : lastScreen(state, decodeURIComponent(billId));
}

function lastScreen(state: State, billId: string): Response {
  const bill = BILLS.find((each) => each.id === billId);
  if (bill === undefined) return json(404, { error: "no_such_bill" });
  if (isPaid(state, billId)) return json(409, { error: "nothing_to_pay" });
  const fee = feeOf(state);
  return json(200, {
    bill: shownBill(state, billId),
    amount: euro(bill.minor),
    fee: euro(fee),
    total: euro(bill.minor + fee),
    pay_on: "1 December 2026",
    method: { id: "pm_1", label: "card ending 4242" },
  });
}

function takePayment(state: State, body: Record<string, unknown>): Response {
  const bill = BILLS.find((each) => each.id === body["bill"]);
  if (bill === undefined || body["amount_minor"] !== bill.minor) return json(422, { error: "not_this_amount" });
  const reference = typeof body["reference"] === "string" ? body["reference"] : null;
  const waiting = state.faults.has("second_factor");
  const made = pay(state, { bill: bill.id, reference, waiting, ours: true });
  return waiting ? json(202, { waiting: "code" }) : json(201, { payment: shown(made) });
}

function pay(state: State, what: Omit<MadePayment, "number" | "totalMinor">): MadePayment {
  const minor = BILLS.find((each) => each.id === what.bill)?.minor ?? 0;
  const made = { ...what, number: `PM-${9_000 + state.payments.length}`, totalMinor: minor + feeOf(state) };
  state.payments.push(made);
  return made;
}

function shownBill(state: State, id: string) {
  const bill = BILLS.find((each) => each.id === id) ?? BILLS[0];
  const { number = "", title = "", issued = "", minor = 0 } = bill ?? {};
  const waits = state.payments.some((each) => each.bill === id && each.waiting);
  const paid = isPaid(state, id);
  const status = waits ? "waiting" : paid ? "paid" : "open";
  const open = euro(paid ? 0 : minor);
  return { id, number, title, issued, due: "10 December 2026", total: euro(minor), open, status };
}

function shown({ number, bill, totalMinor, reference }: MadePayment) {
  return { number, bill, total: euro(totalMinor), reference };
}

function isPaid(state: State, bill: string): boolean {
  return state.payments.some((each) => each.bill === bill && !each.waiting);
}

function feeOf(state: State): number {
  return state.faults.has("changed_terms") ? FEE_MINOR + 200 : FEE_MINOR;
}

/** As the site writes it: `€1,086.40`. */
function euro(minor: number): string {
  const whole = String(Math.floor(minor / 100)).replace(/\B(?=(?:[0-9]{3})+$)/g, ",");
  return `€${whole}.${String(minor % 100).padStart(2, "0")}`;
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

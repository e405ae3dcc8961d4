import {
  type Answer,
  type CommitAdapter,
  type Destination,
  type HeldRequest,
  type OpenSession,
  type Route,
  type Session,
  type Site,
  SiteTrouble,
} from "@countersign/plugin";
import { retailOrderSubmit } from "@countersign/profile";
import { assert, err, type JsonObject, ok, type Result, secret } from "@countersign/wire";
import type { Random } from "./random.ts";
import type { Stage } from "./stage.ts";

export const SHOP_ID = "simulated";
export const SHOP_ORIGIN = "https://shop.example";
/** Orders show at the latest so long after they were made: with the time to send it stays below the settling time. */
const LATE_MS_MAX = 55_000;

export interface Order {
  readonly taskId: string;
  readonly actionId: string;
  readonly totalMinor: number;
  readonly showsAt: number;
}

/** Ways in which tests spoil a part of the gateway that stands between it and the shop, to see that it is noticed. */
export type Spoil = "sends_again" | "shows_later" | "says_yes" | "puts_back_anyway";
export const spoil: { with: Spoil | undefined } = { with: undefined };
const FAR_TOO_LATE_MS = 10 * 60_000;

/** Everything that a shop can do wrong, weighed: most of the time it does nothing wrong. */
const ANSWERS = [
  ...Array<"ok">(8).fill("ok"),
  "refused",
  "lost_before",
  "lost_after",
  "late",
  "error_before",
  "error_after",
  "half_body",
  "login_page",
  "redirect",
  "not_sent",
] as const;
type AnswerKind = (typeof ANSWERS)[number];

const { terms } = retailOrderSubmit.example;
assert(terms !== undefined, "a commit's example has terms");
/** As at first, dearer, cheaper, above the request's limit, another payee, another instrument. */
const OFFERS: readonly JsonObject[] = [
  terms,
  priced(5190),
  priced(4790),
  priced(5990),
  { ...terms, payee: "other.example" },
  { ...terms, instrument: "card ending 1111" },
];
const ADDRESSES = ["1 Harbour Lane", "2 Hill Road"];

function priced(total: number): JsonObject {
  const lines = [
    { kind: "item", ref: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: total - 500 },
    { kind: "delivery", ref: "delivery_demo", title: "Delivery", quantity: 1, unit_minor: 500 },
  ];
  return { ...terms, lines, total_minor: total };
}

/** The destination of a run, with its ledger: what is in `orders` has happened. */
export interface Shop {
  readonly orders: readonly Order[];
  /** Requests that reached it, by task. */
  readonly arrivals: readonly string[];
  /** Held requests that had left and were then called unsent, so that what was made ready for them was put back. */
  readonly putBack: readonly string[];
  /** The terms that were read again last for a record. */
  readonly readAgain: ReadonlyMap<string, JsonObject>;
  readonly material: () => string;
  down: boolean;
  calm: boolean;
  forgetSession(): void;
  changeTerms(): string;
  site: Site;
  route: Route;
  sendOnce(request: HeldRequest, mayLeave: () => boolean): Promise<Result<Answer, "not_sent" | "lost">>;
}

export function createShop(stage: () => Stage, random: Random, say: (line: string) => void): Shop {
  const orders: Order[] = [];
  const arrivals: string[] = [];
  const putBack: string[] = [];
  /** Held requests that have left, by their number. */
  const left = new Set<number>();
  let held = 0;
  const readAgain = new Map<string, JsonObject>();
  let offer = 0;
  let address = 0;
  let session = 1;
  const total = (): number => Number(OFFERS[offer]?.["total_minor"]);
  const shown = () => ({ terms: OFFERS[offer] ?? {}, personal: { ship_to: ADDRESSES[address] ?? "" } });
  const knows = (s: Session): boolean => "material" in s && s.material === `session-${session}`;

  /** A look at the site takes its time: anything may happen before and after it. */
  const looking = async <T>(s: Session, look: () => T): Promise<T | { readonly kind: "sign_in" }> => {
    await stage().pause("site.asked");
    if (shop.down || (!shop.calm && random.chance(0.02))) throw new SiteTrouble("the shop is out of order");
    const seen = knows(s) ? look() : ({ kind: "sign_in" } as const);
    await stage().pause("site.answered");
    return seen;
  };

  const adapter: CommitAdapter<JsonObject, JsonObject, JsonObject> = {
    effect: "commit",
    operation: retailOrderSubmit.id,
    commits: [{ method: "POST", path: "/orders" }],
    prepare: (_ctx, s) => looking(s, () => ({ kind: "ready", state: { cart: 1 }, ...shown() }) as const),
    hold: (_ctx, s, record) =>
      looking(s, () => {
        const serial = ++held;
        const body = { task_id: record.task_id, action_id: record.action_id, serial };
        const request: HeldRequest = {
          method: "POST",
          url: `${SHOP_ORIGIN}/orders`,
          headers: [["content-type", secret("application/json")]],
          body: secret(new TextEncoder().encode(JSON.stringify(body))),
        };
        const abandon = async (fate?: "unsent"): Promise<void> => {
          const isUnsent = fate === "unsent" || spoil.with === "puts_back_anyway";
          if (isUnsent && left.has(serial)) putBack.push(record.task_id);
        };
        const exchange = { request, answer: async () => {}, abandon };
        return { kind: "done", value: { exchange, fingerprint: { action: record.action_id } } } as const;
      }),
    observe: (_ctx, s, record) =>
      looking(s, () => {
        readAgain.set(record.action_id, shown().terms);
        return { kind: "done", value: shown() } as const;
      }),
    recognise(answer) {
      if (spoil.with === "says_yes") return { kind: "confirmed", ...confirmation("SO-?", 0) };
      if (answer.status === 409) return { kind: "refused", why: "sold out" };
      if (answer.status !== 200) return { kind: "unknown" };
      try {
        const body = JSON.parse(new TextDecoder().decode(answer.body)) as { order: string; total: number };
        if (typeof body.order !== "string") return { kind: "unknown" };
        return { kind: "confirmed", ...confirmation(body.order, body.total) };
      } catch {
        return { kind: "unknown" };
      }
    },
    readBack: (_ctx, s, submission) =>
      looking(s, () => {
        if (!shop.calm && random.chance(0.05)) return { kind: "unclear", why: "the list is empty" } as const;
        const at = orders.findIndex(
          (o) => o.actionId === submission.fingerprint["action"] && o.showsAt <= stage().now(),
        );
        const order = orders[at];
        return order === undefined
          ? ({ kind: "absent" } as const)
          : ({ kind: "found", ...confirmation(`SO-${at}`, order.totalMinor) } as const);
      }),
  };

  const openSession = (material: string, destination: Destination): OpenSession => ({
    session: Object.assign({ kind: "http" as const, origin: destination.origin }, { material }),
    secrets: async () => [],
    material: async () => undefined,
    close: async () => {},
  });

  const commit = (request: HeldRequest, lateMs: number): { readonly order: string; readonly total: number } => {
    const body = bodyOf(request);
    orders.push({
      taskId: body.task_id,
      actionId: body.action_id,
      totalMinor: total(),
      showsAt: stage().now() + lateMs,
    });
    say(`THE SHOP TAKES THE ORDER (${total()}${lateMs > 0 ? `, shows in ${lateMs} ms` : ""})`);
    return { order: `SO-${orders.length - 1}`, total: total() };
  };

  const shop: Shop = {
    orders,
    arrivals,
    putBack,
    readAgain,
    material: () => `session-${session}`,
    down: false,
    calm: false,
    forgetSession() {
      session += 1;
    },
    changeTerms() {
      if (random.chance(0.1)) address = 1 - address;
      else offer = random.below(OFFERS.length);
      return `offer ${offer}, address ${address}`;
    },
    site: {
      id: SHOP_ID,
      title: "Simulated shop",
      version: "simulated/1",
      entries: [
        {
          route: "http",
          signIn: undefined,
          identify: async () => ({ name: "Simulated customer", details: [] }),
          operations: [adapter as CommitAdapter<never, unknown, unknown>],
        },
      ],
    },
    route: {
      kind: "http",
      async open(_ctx, destination, material) {
        if (shop.down) return err("site_unavailable");
        return material.reveal() === `session-${session}`
          ? ok(openSession(material.reveal(), destination))
          : err("sign_in");
      },
      beginSignIn: async () =>
        ok({
          mode: "form" as const,
          fields: [{ name: "password", label: "Password", kind: "password" as const }],
          submit: async () => ({
            kind: "done" as const,
            verified: { identity: { name: "Simulated customer", details: [] }, material: secret(`session-${session}`) },
          }),
          close: async () => {},
        }),
      stop: async () => {},
    },
    async sendOnce(request, mayLeave) {
      await stage().pause("wire.connecting");
      const kind: AnswerKind = random.pick(ANSWERS) ?? "ok";
      if (kind === "not_sent" || shop.down || !mayLeave()) {
        say("nothing is sent");
        return err("not_sent");
      }
      const { task_id: taskId, serial } = bodyOf(request);
      arrivals.push(taskId);
      left.add(serial);
      say(`sent; the shop will answer: ${kind}`);
      const answered = answerOf(kind, request);
      const again = spoil.with === "sends_again" && !answered.ok;
      const result = again ? ok(json(200, commit(request, 0))) : answered;
      await stage().pause("wire.answered");
      return result;
    },
  };

  function answerOf(kind: AnswerKind, request: HeldRequest): Result<Answer, "lost"> {
    switch (kind) {
      case "ok":
        return ok(json(200, commit(request, 0)));
      case "refused":
        return ok(json(409, { error: "sold out" }));
      case "lost_after":
      case "half_body":
        commit(request, 0);
        return err("lost");
      case "late":
        commit(request, spoil.with === "shows_later" ? FAR_TOO_LATE_MS : random.below(LATE_MS_MAX));
        return err("lost");
      case "error_before":
        return ok(json(503, { error: "try again" }));
      case "error_after":
        commit(request, 0);
        return ok(json(500, { error: "oops" }));
      case "login_page":
        return ok({ status: 200, headers: [], body: new TextEncoder().encode("<form>Sign in</form>") });
      case "redirect":
        commit(request, 0);
        return ok({ status: 302, headers: [["location", "/thanks"]], body: new Uint8Array() });
      case "lost_before":
      case "not_sent":
        return err("lost");
    }
  }

  return shop;
}

interface Body {
  readonly task_id: string;
  readonly action_id: string;
  readonly serial: number;
}

function bodyOf(request: HeldRequest): Body {
  return JSON.parse(new TextDecoder().decode(request.body.reveal())) as Body;
}

function confirmation(order: string, total: number) {
  return {
    result: { order_number: order, currency: "EUR", total_minor: total },
    confirmation: order,
    observed: { total_minor: total, currency: "EUR" },
  };
}

function json(status: number, body: JsonObject): Answer {
  return {
    status,
    headers: [["content-type", "application/json"]],
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

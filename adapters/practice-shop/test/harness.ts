import { request } from "node:http";
import type {
  AccountDetail,
  AccountIdentity,
  Answer,
  AnyAdapter,
  AnySiteEntry,
  CommitAdapter,
  Ctx,
  Destination,
  Found,
  Held,
  HeldRequest,
  Observed,
  OpenSession,
  Prepared,
  ReadAdapter,
  Recognised,
  Route,
  RouteKind,
  Session,
  Step,
  Submission,
} from "@countersign/plugin";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { type ActionRecord, actionRecord, buildCatalogue, OPERATIONS, type Operation } from "@countersign/profile";
import {
  assert,
  digestOf,
  err,
  formatInstant,
  instant,
  type JsonObject,
  ok,
  type Result,
  type Secret,
} from "@countersign/wire";
import { practiceShop } from "../src/index.ts";

/** A day the tests agree on. */
export const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);

export interface TestShop extends PracticeShop {
  readonly clock: { nowMs: number };
}

export async function openShop(): Promise<TestShop> {
  const clock = { nowMs: OPENING_MS };
  const shop = await startPracticeShop({ clock: () => clock.nowMs, seed: "adapter tests", sleep: async () => {} });
  return { ...shop, clock };
}

/** What an adapter's step gave, with the words of the gateway's boundary. */
export type Sent = Result<Answer, "lost">;
export type Adapter = CommitAdapter<JsonObject, unknown, JsonObject, Session>;

/**
 * Plays the gateway around the adapters of one entry: it opens sessions by the route's own rules, freezes records as the
 * catalogue says, holds, observes, sends each held request once over a connection of its own, and reads back.
 */
export class Bench {
  readonly shop: TestShop;
  readonly route: Route;
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly entry: AnySiteEntry;
  /** Requests that left through the egress given to plugins. */
  readonly fetched: { readonly method: string; readonly path: string }[] = [];
  readonly logged: string[] = [];
  #material: Secret<string> | undefined;
  #identity: AccountIdentity | undefined;
  #open: OpenSession[] = [];
  #serial = 0;

  constructor(shop: TestShop, route: Route) {
    this.shop = shop;
    this.route = route;
    const entry = practiceShop.entries.find((each) => each.route === route.kind);
    assert(entry !== undefined, "the site has an entry for this route");
    this.entry = entry;
    this.destination = {
      id: "practice-shop",
      title: practiceShop.title,
      origin: shop.origin,
      alsoOrigins: [],
      entry,
      commits: entry.operations.flatMap((each) => (each.effect === "commit" ? each.commits : [])),
    };
    this.ctx = this.#makeCtx();
  }

  get identity(): AccountIdentity {
    assert(this.#identity !== undefined, "somebody is signed in");
    return this.#identity;
  }

  signedIn(verified: { readonly identity: AccountIdentity; readonly material: Secret<string> }): void {
    this.#identity = verified.identity;
    this.#material = verified.material;
  }

  /** A session as the gateway opens one: fresh for each step of a task. */
  async session(): Promise<Result<OpenSession, "sign_in" | "site_unavailable">> {
    assert(this.#material !== undefined, "somebody has signed in");
    const opened = await this.route.open(this.ctx, this.destination, this.#material);
    if (opened.ok) this.#open.push(opened.value);
    return opened;
  }

  /** Runs one step in a session of its own. */
  async within<T>(step: (session: Session) => Promise<T>): Promise<T> {
    const opened = await this.session();
    assert(opened.ok, "the session opens");
    try {
      return await step(opened.value.session);
    } finally {
      await opened.value.close();
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#open.map((open) => open.close().catch(() => {})));
    this.#open = [];
  }

  commit(operation: string): Adapter {
    const found = this.#adapter(operation);
    assert(found.effect === "commit", "a committing operation");
    return found as unknown as Adapter;
  }

  async read(operation: string, params: JsonObject) {
    const found = this.#adapter(operation);
    assert(found.effect === "read", "a reading operation");
    const adapter = found as unknown as ReadAdapter<JsonObject, JsonObject, Session>;
    return this.within((session) => adapter.read(this.ctx, session, params));
  }

  prepare(operation: string, params: JsonObject): Promise<Prepared<unknown>> {
    return this.within((session) => this.commit(operation).prepare(this.ctx, session, params));
  }

  /** Prepares and freezes; fails the test when the site would not go that far. */
  async frozen(operation: string, params: JsonObject): Promise<Frozen> {
    const prepared = await this.prepare(operation, params);
    assert(prepared.kind === "ready", "prepared");
    return { record: await this.freeze(operation, params, prepared), state: prepared.state };
  }

  /** The record as the gateway would put it to the person: judged by the catalogue's own schemas. */
  async freeze(operation: string, params: JsonObject, observed: Observed<unknown> & { state: JsonObject }) {
    const known: Operation | undefined = buildCatalogue(OPERATIONS).get(operation);
    assert(known?.effect === "commit", "a committing operation of the catalogue");
    const terms = known.terms.parse(observed.terms);
    assert(known.contradictions(params, terms).length === 0, "terms agree with the request and with themselves");
    const serial = `${++this.#serial}`;
    return actionRecord.parse({
      typ: "countersign.action/1",
      profile: "sophtron.agentic-web-execution/0.1",
      issuer: "http://localhost:4600",
      action_id: `act_${serial}`,
      task_id: `task_${serial}`,
      nonce: "AAAAAAAAAAAAAAAAAAAAAA",
      created_at: formatInstant(instant(this.shop.clock.nowMs)),
      expires_at: formatInstant(instant(this.shop.clock.nowMs + 900_000)),
      account_holder: "holder_1",
      account_ref: "acc_1",
      consent_ref: "con_1",
      agent: "agent_1",
      request_digest: await digestOf({ operation, params }),
      operation,
      parameters: params,
      limits: {},
      route: { kind: this.route.kind, origin: this.shop.origin, adapter: practiceShop.version },
      terms,
      private: {},
      observed: {
        at: formatInstant(instant(this.shop.clock.nowMs)),
        state_digest: await digestOf(observed.state),
      },
      uses: 1,
    });
  }

  /** Hold, observe, send once, deliver, recognise: one crossing, with `between` at the moment before the sending. */
  async submit(frozen: Frozen, between: (seen: Crossing) => Promise<void> | void = () => {}): Promise<Submitted> {
    const adapter = this.commit(frozen.record.operation);
    return this.within(async (session) => {
      const held = done(await adapter.hold(this.ctx, session, frozen.record, frozen.state));
      const observed = done(await adapter.observe(this.ctx, session, frozen.record, frozen.state));
      await between({ held, observed, session });
      const submission: Submission = {
        submissionId: `sub_${this.#serial}`,
        record: frozen.record,
        fingerprint: JSON.parse(JSON.stringify(held.fingerprint)),
        submittedAt: formatInstant(instant(this.shop.clock.nowMs)),
      };
      const answer = await sendOnce(held.exchange.request);
      if (!answer.ok) await held.exchange.abandon();
      else await held.exchange.answer(answer.value);
      const recognised: Recognised<JsonObject> = answer.ok
        ? adapter.recognise(answer.value, frozen.record)
        : { kind: "unknown" };
      return { answer, recognised, submission, observed, held };
    });
  }

  readBack(submission: Submission): Promise<Found<JsonObject>> {
    const adapter = this.commit(submission.record.operation);
    return this.within((session) => adapter.readBack(this.ctx, session, submission));
  }

  #adapter(operation: string): AnyAdapter<never> {
    const found = this.entry.operations.find((each) => each.operation === operation);
    assert(found !== undefined, "the entry has the operation");
    return found;
  }

  #makeCtx(): Ctx {
    const log = (event: string, fields?: object) => {
      this.logged.push(JSON.stringify({ event, ...fields }));
    };
    const ctx: Partial<Ctx> = {
      now: () => instant(this.shop.clock.nowMs),
      log: { debug: log, info: log, warn: log, error: log },
      signal: new AbortController().signal,
      tenant: "t" as Ctx["tenant"],
      person: "p" as NonNullable<Ctx["person"]>,
      progress: () => {},
      access: async () => ({ kind: "no_service" }),
      withIdentity: async (request) => request,
      detail: async (ref) => this.details().find((detail) => detail.ref === ref),
      fetch: async (outgoing) => {
        this.fetched.push({ method: outgoing.method, path: new URL(outgoing.url).pathname });
        return fetch(outgoing, { redirect: "manual" });
      },
    };
    // Only what adapters and routes may use; anything else fails loudly.
    return ctx as Ctx;
  }

  details(): readonly AccountDetail[] {
    return this.identity.details.map((detail) => ({ ...detail, ref: `det_${detail.kind}_${detail.siteKey}` }));
  }
}

export interface Frozen {
  readonly record: ActionRecord;
  readonly state: JsonObject;
}

export interface Crossing {
  readonly held: Held;
  readonly observed: Observed<unknown>;
  readonly session: Session;
}

export interface Submitted {
  readonly answer: Sent;
  readonly recognised: Recognised<JsonObject>;
  readonly submission: Submission;
  readonly observed: Observed<unknown>;
  readonly held: Held;
}

export function done<T>(step: Step<T>): T {
  assert(step.kind === "done", "the step is done");
  return step.value;
}

/** As the boundary sends: a connection of its own, no redirect, no repeat; a cut answer is no answer. */
export function sendOnce(held: HeldRequest): Promise<Sent> {
  const body = held.body.reveal();
  return new Promise((resolve) => {
    const headers = held.headers.map(([name, value]): [string, string] => [name, value.reveal()]);
    const outgoing = request(held.url, {
      method: held.method,
      agent: false,
      headers: { ...Object.fromEntries(headers), "content-length": body.length, connection: "close" },
    });
    outgoing.on("error", () => resolve(err("lost")));
    outgoing.on("response", (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("error", () => resolve(err("lost")));
      incoming.on("close", () => {
        if (!incoming.complete) return resolve(err("lost"));
        const raw = incoming.rawHeaders;
        const pairs = Array.from(
          { length: raw.length / 2 },
          (_, i) => [raw[2 * i] ?? "", raw[2 * i + 1] ?? ""] as const,
        );
        resolve(ok({ status: incoming.statusCode ?? 0, headers: pairs, body: Buffer.concat(parts) }));
      });
    });
    outgoing.end(body);
  });
}

export const LAMP: JsonObject = {
  item_ref: "TL-200",
  quantity: 1,
  max_total_minor: 5500,
  currency: "EUR",
  fulfillment_ref: "det_fulfillment_home",
};
export const MEMBERSHIP: JsonObject = { subscription_ref: "membership" };
export const ORDER = "retail.order.submit";
export const ORDERS = "retail.orders.list";
export const CANCEL = "subscription.cancel";

export function kindOf(route: RouteKind): string {
  return route === "http" ? "API" : "pages";
}

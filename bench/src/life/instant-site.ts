import type { Answer, CommitAdapter, HeldRequest, Route, Session, Site } from "@countersign/plugin";
import { retailOrderSubmit } from "@countersign/profile";
import { err, type JsonObject, ok, type Result, secret } from "@countersign/wire";

/** A destination that answers at once and in process, so that what is measured is the gateway alone. */
export interface InstantSite {
  readonly site: Site;
  readonly route: Route;
  readonly sendOnce: (request: HeldRequest) => Promise<Result<Answer, never>>;
  /** How many orders it took. */
  readonly orders: () => number;
}

export const DESTINATION = "instant";
export const ORIGIN = "https://instant.example";
export const FULFILLMENT_REF = "delivery_home";

/** @param near is told each task that is about to wait for a decision, and each whose outcome is about to be known. */
export function createInstantSite(near: (taskId: string) => void): InstantSite {
  let orders = 0;
  const example = retailOrderSubmit.example;
  const terms = { ...example.terms, lines: linesFor(), fulfillment_ref: FULFILLMENT_REF };
  const adapter: CommitAdapter<JsonObject, unknown, JsonObject> = {
    effect: "commit",
    operation: retailOrderSubmit.id,
    commits: [{ method: "POST", path: "/orders/*" }],
    async prepare(ctx) {
      near(ctx.task ?? "");
      return { kind: "ready", terms, personal: { ship_to: "1 Any Street" }, state: { v: 1 } };
    },
    async hold(_ctx, _session, record) {
      return {
        kind: "done",
        value: {
          fingerprint: { task: record.task_id },
          exchange: {
            request: {
              method: "POST",
              url: `${ORIGIN}/orders/${record.task_id}`,
              headers: [["content-type", secret("application/json")]],
              body: secret(new TextEncoder().encode('{"order":1}')),
            },
            answer: async () => {},
            abandon: async () => {},
          },
        },
      };
    },
    async observe() {
      return { kind: "done", value: { terms, personal: { ship_to: "1 Any Street" } } };
    },
    recognise: () => ({ kind: "confirmed", result: example.result, confirmation: "SO-1" }),
    readBack: async () => ({ kind: "unclear", why: "never asked" }),
  };
  const session: Session = { kind: "http", origin: ORIGIN };
  return {
    site: {
      id: DESTINATION,
      title: "Instant",
      version: "instant/1",
      entries: [{ route: "http", signIn: undefined, identify: async () => undefined, operations: [adapter] }],
    },
    route: {
      kind: "http",
      open: async () =>
        ok({ session, secrets: async () => [], material: async () => undefined, close: async () => {} }),
      beginSignIn: async () => err("site_unavailable"),
      stop: async () => {},
    },
    async sendOnce(request) {
      orders++;
      near(request.url.slice(`${ORIGIN}/orders/`.length));
      return ok({ status: 201, headers: [], body: new Uint8Array() });
    },
    orders: () => orders,
  };
}

function linesFor(): JsonObject[] {
  return [
    { kind: "item", ref: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: 4490 },
    { kind: "delivery", ref: FULFILLMENT_REF, title: "Delivery", quantity: 1, unit_minor: 500 },
  ];
}

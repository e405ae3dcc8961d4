import type { Ctx, HeldExchange, Submission } from "@countersign/plugin";
import { fingerprintOf, gap, ok, ownReference } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { BrowserSession, HoldOptions } from "../session/session.ts";
import { pageCommit } from "./page-commit.ts";
import { createVisits } from "./visits.ts";

// The parts that no site changes; the practice sites' pages go through it in real browsers (`npm run e2e:world`).

const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "test.pay",
  parameters: { amount: 100 },
} as unknown as ActionRecord;
const ctx = { progress: () => {} } as unknown as Ctx;

/** What the site was asked for, in order. */
let asked: string[];
let closed: number;
let held: HoldOptions[];
let price: number;

beforeEach(() => {
  asked = [];
  closed = 0;
  held = [];
  price = 5;
});

const session = () =>
  ({
    kind: "browser",
    origin: "https://site.example",
    seen429: () => false,
    async hold(press: () => Promise<void>, options: HoldOptions) {
      held.push(options);
      await press();
      return {} as HeldExchange;
    },
  }) as unknown as BrowserSession;

const pay = pageCommit<{ readonly price: number }, { readonly draft: string }>(
  {
    operation: "test.pay",
    commits: [
      { method: "POST", path: "/pay/*/confirm" },
      { method: "POST", path: "/offers/*/take" },
    ],
    looking: "Looking",
    async toLast(_ctx, _session, { params, approved }, reference) {
      asked.push(`last ${approved === undefined ? "wished" : "approved"} "${reference}"`);
      if (Number(params["amount"]) > 100) return gap("too much");
      const page = {
        close: async () => {
          closed += 1;
        },
      } as unknown as Page;
      const press = async () => void asked.push("press");
      return ok({ page, offer: { price }, press, origin: "https://frame.example", chosen: { draft: "d1" } });
    },
    async again(_ctx, _session, { draft }) {
      asked.push(`again ${draft}`);
      return ok({ price });
    },
    draftOf: ({ draft }) => draft,
    terms: (origin, offer) => ({ terms: { site: new URL(origin).host, price: offer.price } }),
    recognise: () => ({ kind: "unknown" }),
    readBack: async (_session, { draft }) => (draft === "d1" ? { kind: "absent" } : { kind: "unclear", why: "other" }),
  },
  createVisits({ signInPath: "/login", site: "the site" }),
);

describe("a commit by pages", () => {
  it("is prepared by a page that carries no reference and is closed", async () => {
    expect(await pay.prepare(ctx, session(), { amount: 100 })).toMatchObject({
      kind: "ready",
      terms: { site: "site.example", price: 5 },
    });
    expect([asked, closed]).toEqual([['last wished ""'], 1]);
    expect(await pay.prepare(ctx, session(), { amount: 101 })).toEqual({ kind: "gap", why: "too much" });
  });

  it("PUB-5 is held at a page of the task's own, by the first of its requests, at the origin that it goes to", async () => {
    const step = await pay.hold(ctx, session(), record, { v: 1 });
    expect(step).toMatchObject({ kind: "done", value: { fingerprint: fingerprintOf(record, "d1") } });
    expect(asked).toEqual([`last approved "${ownReference(record)}"`, "press"]);
    expect(held).toMatchObject([{ pattern: { path: "/pay/*/confirm" }, origin: "https://frame.example" }]);
    expect(closed).toBe(0);
  });

  it("U45 a task that another version prepared is not guessed", async () => {
    expect(await pay.hold(ctx, session(), record, { v: 0 })).toMatchObject({ kind: "gap" });
    expect(asked).toEqual([]);
  });

  it("APR-4 what is observed is the held page opened anew; without one, a fresh page", async () => {
    const one = session();
    await pay.hold(ctx, one, record, { v: 1 });
    price = 7;
    expect(await pay.observe(ctx, one, record, { v: 1 })).toMatchObject({ value: { terms: { price: 7 } } });
    expect(asked.at(-1)).toBe("again d1");
    expect(await pay.observe(ctx, session(), record, { v: 1 })).toMatchObject({ value: { terms: { price: 7 } } });
    expect(asked.at(-1)).toBe('last approved ""');
  });

  it("PUB-6 reads back by what was saved, and by nothing that another version saved", async () => {
    const back = (fingerprint: Submission["fingerprint"]) =>
      pay.readBack(ctx, session(), { record, fingerprint } as Submission);
    expect(await back(fingerprintOf(record, "d1"))).toEqual({ kind: "absent" });
    expect(await back({ ...fingerprintOf(record, "d1"), v: 1 })).toMatchObject({ kind: "unclear" });
  });
});

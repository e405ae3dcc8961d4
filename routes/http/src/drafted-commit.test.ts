import type { Answer, Ctx, HeldExchange, Submission } from "@countersign/plugin";
import { fingerprintOf, type Json, type JsonObject, ok, ownReference, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { beforeEach, describe, expect, it } from "vitest";
import { type DraftedCommit, draftedCommit } from "./drafted-commit.ts";
import type { HttpAnswer, HttpInit, HttpSession } from "./session.ts";

// A site of our own making, to the letter of what the module's head says; the practice sites' adapters are tried against
// real ones (`npm run e2e:world`, `countersign adapter check`).

interface Done {
  readonly number: string;
  readonly reference: string;
  readonly amount: number;
}

const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "test.pay",
  parameters: { amount: 100 },
} as unknown as ActionRecord;
const OURS = ownReference(record);

const isAmount = (done: Done, { parameters }: ActionRecord) => done.amount === (parameters as JsonObject)["amount"];
const site: DraftedCommit<{ readonly price: number }, Done> = {
  operation: "test.pay",
  path: "/payments",
  drafts: "/drafts",
  draftShape: {
    safeParse(value) {
      const { id, price, asks } = value as { id?: unknown; price?: unknown; asks?: unknown };
      return typeof id === "string" && typeof price === "number"
        ? { success: true, data: { id, offer: { price }, ...(asks === true ? { waits: true as const } : {}) } }
        : { success: false };
    },
  },
  looking: "Looking",
  request: async (_ctx, _session, { params }, reference) =>
    ok({
      body: { amount: Number(params["amount"]), reference },
      headers: { "x-form": "once" },
      unlike: ({ price }) => (price < 0 ? "the site pays back" : undefined),
    }),
  terms: (origin, { price }) => ({ terms: { site: new URL(origin).host, price } }),
  body: (draft) => ({ draft }),
  doneShape: {
    safeParse: (value) =>
      typeof value === "object" && value !== null && "number" in value
        ? { success: true, data: value as unknown as Done }
        : { success: false },
  },
  list: async () => ok(lists.length > 1 ? (lists.shift() ?? []) : (lists[0] ?? [])),
  reference: ({ reference }) => reference,
  isWanted: isAmount,
  isAlike: isAmount,
  confirmation: ({ number }) => ({ confirmation: number, result: {} }),
  codeOf: (json) => (json as { code?: string } | undefined)?.code,
  gaps: { no_funds: "there is not enough" },
  gone: { draft_used: "used", draft_over: "expired", draft_gone: "used_or_expired", draft_asks: "waits" },
  refusals: { declined: [422, "the site declined it"] },
  recordKind: "confirmation",
};
const pay = draftedCommit(site);

let lists: (readonly Done[])[];
let asked: { readonly path: string; readonly init: HttpInit }[];
let answers: HttpAnswer[];

beforeEach(() => {
  lists = [[]];
  asked = [];
  answers = [];
});

const ctx = { progress: () => {} } as unknown as Ctx;
const said = (status: number, json: Json): HttpAnswer => ({ kind: "answer", status, json }) as HttpAnswer;
const draft = (price = 5, id = "d1") => said(201, { id, price });

function session(): HttpSession {
  const note = (path: string, init: HttpInit = {}) => asked.push({ path, init });
  const made: Pick<HttpSession, "kind" | "origin" | "fetch" | "hold"> = {
    kind: "http",
    origin: "https://site.example",
    async fetch(path, init) {
      note(path, init);
      return answers.shift() ?? said(500, {});
    },
    async hold(path, init) {
      note(path, init);
      return {} as HeldExchange;
    },
  };
  return made as HttpSession;
}

const readBack = (fingerprint = fingerprintOf(record, "d1")) =>
  pay.readBack(ctx, session(), { record, fingerprint } as Submission);
const done = (change: Partial<Done> = {}): Done => ({ number: "P-1", reference: OURS, amount: 100, ...change });

describe("the last screen", () => {
  it("shows the terms, by a draft that carries no reference", async () => {
    answers = [draft()];
    expect(await pay.prepare(ctx, session(), { amount: 100 })).toMatchObject({
      kind: "ready",
      terms: { site: "site.example", price: 5 },
    });
    expect(asked).toMatchObject([{ path: "/drafts", init: { body: { amount: 100, reference: "" } } }]);
  });

  it.each([
    ["the site's own no is a gap", said(422, { code: "no_funds" }), { kind: "gap", why: "there is not enough" }],
    ["another thing than was asked for is a gap", draft(-1), { kind: "gap", why: "the site pays back" }],
    ["an ended session asks for the person", { kind: "signed_out" } as HttpAnswer, { kind: "sign_in" }],
  ])("%s", async (_, answer, expected) => {
    answers = [answer];
    expect(await pay.prepare(ctx, session(), { amount: 100 })).toEqual(expected);
  });

  it.each([
    ["its words in a success", said(200, { code: "no_funds" })],
    ["a code that nobody knows", said(422, { code: "constructor" })],
    ["trouble", said(503, { code: "no_funds" })],
    ["half an answer", said(201, { id: "d1" })],
  ])("U27 %s is trouble", async (_, answer) => {
    answers = [answer];
    await expect(pay.prepare(ctx, session(), { amount: 100 })).rejects.toMatchObject({ name: "SiteTrouble" });
  });
});

describe("what is held", () => {
  it("PUB-5 names a draft of the task's own, with its reference, one key for every attempt, and the site's token", async () => {
    answers = [draft(5, "d9")];
    const step = await pay.hold(ctx, session(), record, { v: 1 });
    expect(step).toMatchObject({ kind: "done", value: { fingerprint: { own_reference: OURS, draft: "d9" } } });
    expect(asked).toMatchObject([
      { path: "/drafts", init: { body: { reference: OURS }, headers: { "x-form": "once" } } },
      { path: "/payments", init: { body: { draft: "d9" }, headers: { "x-form": "once" } } },
    ]);
    expect(asked[1]?.init.headers?.["idempotency-key"]).toMatch(/^[\w-]{43}$/);
  });

  it("U45 a task that another version prepared is not guessed", async () => {
    expect(await pay.hold(ctx, session(), record, { v: 0 })).toMatchObject({ kind: "gap" });
    expect(asked).toEqual([]);
  });

  it("APR-4 is observed at the price of the moment, and not at that of a draft beside it", async () => {
    const one = session();
    answers = [draft(5), said(200, { id: "d1", price: 7 }), said(410, { code: "draft_over" })];
    await pay.hold(ctx, one, record, { v: 1 });
    expect(await pay.observe(ctx, one, record, { v: 1 })).toMatchObject({ value: { terms: { price: 7 } } });
    expect(asked.at(-1)).toMatchObject({ path: "/drafts/d1" });
    expect(await pay.observe(ctx, one, record, { v: 1 })).toMatchObject({ kind: "gap" });
  });

  it("where nothing is held, a fresh draft without a reference is observed", async () => {
    answers = [draft(6)];
    expect(await pay.observe(ctx, session(), record, { v: 1 })).toMatchObject({ value: { terms: { price: 6 } } });
    expect(asked).toMatchObject([{ init: { body: { reference: "" } } }]);
  });
});

describe("STA-4 (U08) what an answer means", () => {
  const answer = (status: number, json: unknown): Answer => ({
    status,
    headers: [],
    body: new TextEncoder().encode(JSON.stringify(json)),
  });

  it("only what was wanted, with the task's own reference, confirms", () => {
    expect(pay.recognise(answer(201, done()), record)).toMatchObject({
      kind: "confirmed",
      confirmation: "P-1",
      records: [{ kind: "confirmation", signatureChecked: false }],
    });
    for (const other of [done({ reference: "" }), done({ amount: 1 }), { code: "declined" }, "P-1"])
      expect(pay.recognise(answer(201, other), record)).toEqual({ kind: "unknown" });
    expect(pay.recognise(answer(200, done()), record)).toEqual({ kind: "unknown" });
  });

  it("only the site's own refusal in its own status refuses", () => {
    expect(pay.recognise(answer(422, { code: "declined" }), record)).toMatchObject({ kind: "refused" });
    for (const [status, code] of [
      [503, "declined"],
      [422, "toString"],
      [422, "no_funds"],
    ] as const)
      expect(pay.recognise(answer(status, { code }), record)).toEqual({ kind: "unknown" });
  });
});

describe("PUB-6 reading back", () => {
  it("STA-3 what carries the reference is found, without another look", async () => {
    lists = [[done({ number: "P-0", reference: "" }), done()]];
    expect(await readBack()).toMatchObject({ kind: "found", confirmation: "P-1" });
    expect(asked).toEqual([]);
  });

  it("STA-4 nothing in the list is only half of it: the draft is looked at, and then the list once more", async () => {
    answers = [said(200, { id: "d1", price: 5 })];
    expect(await readBack()).toEqual({ kind: "absent" });
    for (const gone of ["draft_gone", "draft_used"]) {
      lists = [[], [done()]];
      answers = [said(410, { code: gone })];
      expect(await readBack()).toMatchObject({ kind: "found" });
    }
  });

  it.each([
    ["it may have run out", "draft_gone", "absent"],
    ["it has run out", "draft_over", "absent"],
    ["the site would refuse it by now", "no_funds", "absent"],
    ["it was used for certain", "draft_used", "unclear"],
    ["the site waits for the person", "draft_asks", "unclear"],
  ])("when %s (%s) and nothing is listed, that is %s", async (_, code, kind) => {
    answers = [said(409, { code })];
    expect(await readBack()).toMatchObject({ kind });
  });

  it("MFA-6 a draft that still stands, and for which the site waits for the person, is no absence", async () => {
    answers = [said(200, { id: "d1", price: 5, asks: true })];
    expect(await readBack()).toMatchObject({ kind: "unclear" });
  });

  it("an ended session asks for the person, and trouble stays trouble", async () => {
    answers = [{ kind: "signed_out" }];
    expect(await readBack()).toEqual({ kind: "sign_in" });
    answers = [said(500, {})];
    await expect(readBack()).rejects.toMatchObject({ name: "SiteTrouble" });
  });

  it("U04 where only the record has survived there is no draft, and an equal act is unclear", async () => {
    expect(await readBack(traceOf(record))).toEqual({ kind: "absent" });
    lists = [[done({ reference: "" })]];
    expect(await readBack(traceOf(record))).toMatchObject({ kind: "unclear" });
    expect(await readBack({ v: 1 })).toMatchObject({ kind: "unclear" });
    expect(asked).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import type { AdapterCheck, PromiseName } from "@countersign/adapter-kit";
import {
  answerJson,
  type CommitAdapter,
  type JsonObject,
  type ReadAdapter,
  type Site,
  SiteTrouble,
} from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { check } from "../src/template/check.ts";
import { billPay } from "../src/template/src/bill-pay.ts";
import { billsList } from "../src/template/src/bills-list.ts";

// Small broken adapters: each is the skeleton with one promise taken out, as somebody in a hurry would write it.

type Commit = CommitAdapter<JsonObject, unknown, JsonObject, HttpSession>;
type Reader = ReadAdapter<JsonObject, JsonObject, HttpSession>;

export interface Planted {
  readonly title: string;
  readonly promise: PromiseName;
  /** Part of what the report says of it. */
  readonly seen: RegExp;
  readonly check: AdapterCheck;
}

const PAYMENTS = "/api/payments";

function withCommit(changed: Partial<Commit>): AdapterCheck {
  return only("utilities.bill.pay", { ...billPay, ...changed }, billsList);
}

function withRead(changed: Partial<Reader>): AdapterCheck {
  return only("utilities.bills.list", billPay, { ...billsList, ...changed });
}

function only(operation: string, commit: Commit, read: Reader): AdapterCheck {
  const [entry] = check.site.entries;
  const entries = entry === undefined ? [] : [{ ...entry, operations: [read, commit] }];
  const site: Site = { ...check.site, entries };
  return { ...check, site, operations: check.operations.filter((each) => each.operation === operation) };
}

/** Past the session's own door, with the token that the held request carries. */
async function sendByItself(
  ctx: Parameters<Commit["hold"]>[0],
  session: HttpSession,
  body: JsonObject,
): Promise<Response> {
  const held = await session.hold(PAYMENTS, { method: "POST", body });
  const headers = Object.fromEntries(held.request.headers.map(([name, value]) => [name, value.reveal()]));
  return ctx.fetch(new Request(held.request.url, { method: "POST", headers, body: JSON.stringify(body) }));
}

export const PLANTED: readonly Planted[] = [
  {
    title: "looks for its payment and, not finding it at once, pays again",
    promise: "one_act",
    seen: /sent again/,
    check: withCommit({
      async readBack(ctx, session, submission) {
        const { bill_ref: bill, amount_minor: amount } = submission.record.terms as JsonObject;
        await sendByItself(ctx, session, { bill: bill ?? "", amount_minor: amount ?? 0, reference: "again" });
        return billPay.readBack(ctx, session, submission);
      },
    }),
  },
  {
    title: "gives each attempt a key of its own",
    promise: "one_act",
    seen: /key of its own/,
    check: withCommit({
      async hold(ctx, session, record, state) {
        const held = await billPay.hold(ctx, session, record, state);
        if (held.kind !== "done") return held;
        const { bill_ref: bill, amount_minor: amount } = record.terms as JsonObject;
        const exchange = await session.hold(PAYMENTS, {
          method: "POST",
          body: { bill: bill ?? "", amount_minor: amount ?? 0, reference: held.value.fingerprint["reference"] ?? "" },
          headers: { "idempotency-key": randomUUID() },
        });
        return { kind: "done", value: { ...held.value, exchange } };
      },
    }),
  },
  {
    title: "pays while it prepares, to see the total",
    promise: "boundary",
    seen: /before the gateway sent it/,
    check: withCommit({
      async prepare(ctx, session, params) {
        const ready = await billPay.prepare(ctx, session, params);
        if (ready.kind === "ready")
          await sendByItself(ctx, session, { bill: params["bill_ref"] ?? "", amount_minor: 108_640 });
        return ready;
      },
    }),
  },
  {
    title: "posts the payment like any other request",
    promise: "boundary",
    seen: /the route refuses/,
    check: withCommit({
      async hold(ctx, session, record, state) {
        const { bill_ref: bill, amount_minor: amount } = record.terms as JsonObject;
        await session.fetch(PAYMENTS, { method: "POST", body: { bill: bill ?? "", amount_minor: amount ?? 0 } });
        return billPay.hold(ctx, session, record, state);
      },
    }),
  },
  {
    title: "tries to pay again while it reads back, and swallows the refusal",
    promise: "boundary",
    seen: /the route refuses/,
    check: withCommit({
      async readBack(ctx, session, submission) {
        const { bill_ref: bill, amount_minor: amount } = submission.record.terms as JsonObject;
        const body = { bill: bill ?? "", amount_minor: amount ?? 0 };
        await session.fetch(PAYMENTS, { method: "POST", body }).catch(() => undefined);
        return billPay.readBack(ctx, session, submission);
      },
    }),
  },
  {
    title: "does not declare what commits",
    promise: "contract",
    seen: /does not declare/,
    check: withCommit({ commits: [{ method: "POST", path: "/api/pay" }] }),
  },
  {
    title: "leaves the total out of the terms",
    promise: "contract",
    seen: /terms are not the operation's: total_minor/,
    check: withCommit({
      async prepare(ctx, session, params) {
        const ready = await billPay.prepare(ctx, session, params);
        if (ready.kind !== "ready") return ready;
        const { total_minor: _, ...terms } = ready.terms as JsonObject;
        return { ...ready, terms };
      },
    }),
  },
  {
    title: "calls an ended session trouble with the site",
    promise: "sign_in",
    seen: /nobody is asked to sign in/,
    check: withCommit({
      async prepare(ctx, session, params) {
        const ready = await billPay.prepare(ctx, session, params);
        if (ready.kind === "sign_in") throw new SiteTrouble("the site answered 401");
        return ready;
      },
    }),
  },
  {
    title: "confirms what still waits for a code",
    promise: "evidence",
    seen: /not done yet/,
    check: withCommit({
      recognise: (answer, record) =>
        answer.status === 202
          ? { kind: "confirmed", confirmation: "waiting", result: {} }
          : billPay.recognise(answer, record),
    }),
  },
  {
    title: "says again what was approved instead of looking",
    promise: "approved_terms",
    seen: /other terms than were approved|something else than was approved/,
    check: withCommit({
      observe: async (_ctx, _session, record) => ({ kind: "done", value: { terms: record.terms } }),
    }),
  },
  {
    title: "holds another bill than it showed",
    promise: "approved_terms",
    seen: /something else than was approved: (bill_ref|total_minor)/,
    check: withCommit({
      async hold(ctx, session, record, state) {
        const held = await billPay.hold(ctx, session, record, state);
        if (held.kind !== "done") return held;
        const { reference = "" } = held.value.fingerprint;
        const body = { bill: "bl_2610", amount_minor: 7_912, reference };
        return {
          kind: "done",
          value: { ...held.value, exchange: await session.hold(PAYMENTS, { method: "POST", body }) },
        };
      },
    }),
  },
  {
    title: "takes the newest payment for its own",
    promise: "right_record",
    seen: /another act for this one|person's own act/,
    check: withCommit({
      async readBack(ctx, session, submission) {
        const answer = await session.fetch(PAYMENTS);
        if (answer.kind === "signed_out") return { kind: "sign_in" };
        const { payments } = (answer.json ?? {}) as { payments?: { number: string }[] };
        if (payments === undefined) throw new SiteTrouble("no payments");
        const newest = payments.at(-1);
        if (newest === undefined) return billPay.readBack(ctx, session, submission);
        const result = { payment_ref: newest.number, currency: "EUR", total_minor: 0, status: "paid" };
        return { kind: "found", confirmation: newest.number, result };
      },
    }),
  },
  {
    title: "takes every answer that came for success",
    promise: "evidence",
    seen: /takes this for a confirmation/,
    check: withCommit({
      recognise(answer, record) {
        const real = billPay.recognise(answer, record);
        if (real.kind === "confirmed" || answer.status >= 400) return real;
        return { kind: "confirmed", confirmation: "ok", result: {} };
      },
    }),
  },
  {
    title: "takes a server's error for a refusal",
    promise: "evidence",
    seen: /takes this for a refusal/,
    check: withCommit({
      recognise: (answer, record) =>
        answer.status >= 500 ? { kind: "refused", why: "the site refused" } : billPay.recognise(answer, record),
    }),
  },
  {
    title: "reads an empty list off a sign-in page",
    promise: "sign_in",
    seen: /cannot have read/,
    check: withRead({
      async read(_ctx, session) {
        const answer = await session.fetch("/api/bills");
        if (answer.kind === "signed_out") return { kind: "done", result: { bills: [] } };
        const { bills = [] } = (answer.json ?? {}) as { bills?: { id: string; open: string }[] };
        const rows = bills.map((bill) => ({ bill_ref: bill.id, currency: "EUR", total_minor: 1, status: "open" }));
        return { kind: "done", result: { bills: rows } };
      },
    }),
  },
  {
    title: "says that the bill was not paid when its page comes only half",
    promise: "whole_page",
    seen: /nothing happened/,
    check: withCommit({
      async readBack(ctx, session, submission) {
        try {
          return await billPay.readBack(ctx, session, submission);
        } catch {
          return { kind: "absent" };
        }
      },
    }),
  },
  {
    title: "reads an amount as far as it is a number",
    promise: "money",
    seen: /makes an amount/,
    check: withRead({
      async read(_ctx, session) {
        const answer = await session.fetch("/api/bills");
        if (answer.kind === "signed_out") return { kind: "sign_in" };
        const { bills } = (answer.json ?? {}) as { bills?: { id: string; total: string }[] };
        if (bills === undefined) throw new SiteTrouble("no bills");
        const rows = bills.map(({ id, total }) => {
          const amount = Math.round(Number.parseFloat(total.replace(/[^0-9.]/g, "")) * 100);
          return { bill_ref: id, currency: "EUR", total_minor: amount, status: "open" };
        });
        return { kind: "done", result: { bills: rows } };
      },
    }),
  },
  {
    title: "writes the token into its log",
    promise: "secrets",
    seen: /secret of the session stands in a log line/,
    check: withCommit({
      async hold(ctx, session, record, state) {
        const held = await billPay.hold(ctx, session, record, state);
        if (held.kind === "done") {
          const header = held.value.exchange.request.headers.find(([name]) => name === "authorization")?.[1];
          ctx.log.debug("held", { with: header?.reveal().slice(0, 20) });
        }
        return held;
      },
    }),
  },
  {
    title: "tells everybody whose account it works in",
    promise: "secrets",
    seen: /personal text stands in a progress note/,
    check: withRead({
      async read(ctx, session, params) {
        const answer = await session.fetch("/api/me");
        if (answer.kind === "signed_out") return { kind: "sign_in" };
        const { name = "nobody" } = (answer.json ?? {}) as { name?: string };
        ctx.progress("bills", `Reading the bills of ${name}`);
        return billsList.read(ctx, session, params);
      },
    }),
  },
  {
    title: "tries again for ever, whoever gives up",
    promise: "abort",
    seen: /after it was given up|without end/,
    check: withRead({
      async read(ctx, session, params) {
        for (;;) {
          try {
            return await billsList.read(ctx, session, params);
          } catch {
            // Once more.
          }
        }
      },
    }),
  },
  {
    title: "asks by the global fetch",
    promise: "one_way_out",
    seen: /global fetch/,
    check: withRead({
      async read(ctx, session, params) {
        await fetch(`${session.origin}/api/bills`).catch(() => undefined);
        return billsList.read(ctx, session, params);
      },
    }),
  },
  {
    title: "confirms without looking whose payment it is",
    promise: "right_record",
    seen: /confirmation of this one/,
    check: withCommit({
      recognise(answer) {
        const { payment } = (answerJson(answer) ?? {}) as { payment?: { number: string } };
        if (answer.status !== 201 || payment === undefined) return { kind: "unknown" };
        const result = { payment_ref: payment.number, currency: "EUR", total_minor: 108_675, status: "paid" };
        return { kind: "confirmed", confirmation: payment.number, result };
      },
    }),
  },
];

import { digestOf, type Json, type JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import type { VerifyOptions } from "./bundle.ts";
import { answerTo, example, put, remade, vector } from "./example.ts";
import { compareByMember } from "./terms.ts";

const answer = async (members: Readonly<Record<string, Json | undefined>>, options: Partial<VerifyOptions> = {}) =>
  answerTo(await remade({ receipt: put(members) }), options);

const observed = example.receipt["observed"] as JsonObject;
const failed = { outcome: "failed", reason: "site_refused", destination: undefined, observed: undefined };

describe("step 9: the receipt belongs to the approval", () => {
  test.each([
    ["task", { task_id: "task_other" }],
    ["operation", { operation: "subscription.cancel" }],
    ["account", { account_ref: "acct_other" }],
    ["action", { action_digest: vector.digests.request }],
    ["approval", { approval_digest: vector.digests.request }],
    ["approval reference", { approval_ref: "apr_other" }],
    ["approval, left out", { approval_digest: undefined, approval_ref: undefined }],
    ["route", { route: { kind: "http", origin: "https://shop.example", adapter: "shop-checkout/1.4.2" } }],
  ])("REC-1 of another %s is refused", async (_name, members) => {
    expect(await answer(members)).toBe("9 receipt links_differ");
  });

  test("REC-1 the approved route may be repeated", async () => {
    expect(await answer({ route: example.action["route"] as Json })).toBe("L3 approval succeeded");
  });

  test("APR-6 a commit before the decision, or after it ran out, is refused", async () => {
    expect(await answer({ commit_started_at: "2026-11-30T10:00:42Z" })).toBe("L3 approval succeeded");
    expect(await answer({ commit_started_at: "2026-11-30T10:00:41Z" })).toBe("9 receipt outside_window");
    const late = { commit_started_at: "2026-11-30T10:10:01Z", finished_at: "2026-11-30T10:10:02Z" };
    expect(await answer(late)).toBe("9 receipt outside_window");
    expect(await answer({ commit_started_at: undefined })).toBe("9 receipt outside_window");
    expect(await answer({ ...failed, ...late })).toBe("9 receipt outside_window");
  });

  test("a failure or an unknown outcome stands with its reason", async () => {
    expect(await answer(failed)).toBe("L3 approval failed");
    expect(await answer({ ...failed, outcome: "outcome_unknown", reason: "awaiting_confirmation" })).toBe(
      "L3 approval outcome_unknown",
    );
    expect(
      await answer({
        ...failed,
        outcome: "expired",
        reason: "request_expired",
        commit_started_at: undefined,
        attempt: undefined,
      }),
    ).toBe("L3 approval expired");
  });
});

describe("step 9: observed terms", () => {
  test("APR-4 lower passes and is reported; another currency or payee is refused", async () => {
    expect(await answer({ observed: { ...observed, total_minor: 4989 } })).toBe("L3 approval succeeded terms_lower");
    expect(await answer({ observed: { ...observed, currency: "USD" } })).toBe("9 receipt terms_differ");
    expect(await answer({ observed: { ...observed, payee: "other.example" } })).toBe("9 receipt terms_differ");
    expect(await answer({ observed: { ...observed, tip_minor: 1 } })).toBe("9 receipt terms_differ");
  });

  test("APR-4 a higher total stands only where the receipt owns up to it", async () => {
    const higher = { ...observed, total_minor: 4991 };
    expect(await answer({ observed: higher })).toBe("9 receipt terms_differ");
    expect(await answer({ observed: higher, flags: ["terms_exceeded"] })).toBe("L3 approval succeeded terms_exceeded");
    expect(await answer({ observed: { ...higher, currency: "USD" }, flags: ["terms_exceeded"] })).toBe(
      "9 receipt terms_differ",
    );
  });

  test("APR-4 another currency or payee stands only where the receipt owns up to it, and the reader is told", async () => {
    const other = { ...observed, currency: "USD" };
    expect(await answer({ observed: other, flags: ["terms_differ"] })).toBe("L3 approval succeeded terms_differ");
    expect(await answer({ observed: { ...other, total_minor: 4991 }, flags: ["terms_exceeded", "terms_differ"] })).toBe(
      "L3 approval succeeded terms_exceeded terms_differ",
    );
    // What the receipt does not carry may differ too.
    expect(await answer({ flags: ["terms_differ"] })).toBe("L3 approval succeeded terms_differ");
  });

  test("a success that carries no observed terms is reported as such", async () => {
    expect(await answer({ observed: undefined })).toBe("L3 approval succeeded terms_not_observed");
  });

  test("the catalogue's comparison takes the place of the plain one", async () => {
    const seen: unknown[] = [];
    const compare = (...given: readonly unknown[]) => {
      seen.push(...given);
      return { ok: false };
    };
    expect(await answer({}, { compare })).toBe("9 receipt terms_differ");
    expect(seen).toEqual(["retail.order.submit", example.action["terms"], observed]);
  });

  test("the plain comparison is by member", () => {
    const approved = { total_minor: 10, lines: [{ ref: "a" }] };
    const compare = (now: JsonObject) => compareByMember("any", approved, now);
    expect(compare({ lines: [{ ref: "a" }] })).toEqual({ ok: true, lower: false, exceeded: false });
    expect(compare({ total_minor: 9 })).toEqual({ ok: true, lower: true, exceeded: false });
    expect(compare({ total_minor: 11 })).toEqual({ ok: false, lower: false, exceeded: true });
    expect(compare({ total_minor: "9" })).toMatchObject({ ok: false, exceeded: false });
    expect(compare({ constructor: "x" })).toMatchObject({ ok: false });
  });
});

test("an approval's digest is of the very action", async () => {
  const bundle = await remade();
  expect(await digestOf(bundle["action"] as Json)).toBe(vector.digests.action);
});

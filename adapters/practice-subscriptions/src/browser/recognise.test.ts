import type { Answer } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { subscriptionCancel } from "./cancel.ts";
import { planChange } from "./plan-change.ts";

const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "subscription.cancel",
  route: { kind: "browser", origin: "https://lantern.example" },
  parameters: { subscription_ref: "lantern", plan_ref: "premium" },
  terms: {
    plan: "Premium",
    currency: "EUR",
    price_minor: 1_899,
    period: "month",
    starts_on: "2026-11-30",
    ends_on: "2026-12-18",
  },
} as unknown as ActionRecord;

const answer = (status: number, headers: Answer["headers"], body = ""): Answer => ({
  status,
  headers,
  body: new TextEncoder().encode(body),
});
const html: Answer["headers"] = [["content-type", "text/html; charset=utf-8"]];
const to = (location: string, status = 303): Answer => answer(status, [["location", location]]);

describe("what an answer to the last page means", () => {
  it("only the service's own redirect to what was done confirms", () => {
    expect(subscriptionCancel.recognise(to("/cancellations/LC-9"), record)).toEqual({
      kind: "confirmed",
      confirmation: "LC-9",
      result: { cancellation_ref: "LC-9", ends_on: "2026-12-18" },
    });
    expect(planChange.recognise(to("/plan-changes/PC-9"), record)).toMatchObject({
      kind: "confirmed",
      confirmation: "PC-9",
      result: { change_ref: "PC-9", plan: "Premium", price_minor: 1_899 },
    });
  });

  it.each([
    ["the sign-in", to("/sign-in")],
    // Back at the subscriptions: as after an offer to stay.
    ["the subscriptions", to("/subscriptions")],
    ["another host", to("https://evil.example/cancellations/LC-9")],
    ["a number that is none", to("/cancellations/x")],
    ["another redirect", to("/cancellations/LC-9", 302)],
    ["the other's confirmation", to("/other/LC-9")],
    ["an error page of a proxy", answer(502, html, "<h1>502 Server Error</h1>")],
    ["the last page again", answer(422, html, "<h1>Cancel your plan?</h1>")],
    ["the refusal's words in another status", answer(200, html, "<h1>Your plan was not cancelled</h1>")],
    ["cancelled already, perhaps by this very request", answer(409, html, "<h1>This is cancelled already</h1>")],
  ])("STA-4 (U08) %s is unknown", (_, given) => {
    expect(subscriptionCancel.recognise(given, record)).toEqual({ kind: "unknown" });
    expect(planChange.recognise(given, record)).toEqual({ kind: "unknown" });
  });

  it("the service's own refusals refuse", () => {
    const page = (status: number, heading: string) => answer(status, html, `<h1>${heading}</h1>`);
    expect(subscriptionCancel.recognise(page(422, "Your plan was not cancelled"), record).kind).toBe("refused");
    expect(planChange.recognise(page(422, "Your plan was not changed"), record).kind).toBe("refused");
    expect(planChange.recognise(page(410, "This has lapsed"), record).kind).toBe("refused");
  });
});

it("an offer to stay is among what commits, so that the route lets none out before the person's yes", () => {
  expect(subscriptionCancel.commits).toContainEqual({ method: "POST", path: "/leaving/*/offers/*/take" });
});

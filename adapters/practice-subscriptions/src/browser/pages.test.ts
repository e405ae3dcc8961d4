import { describe, expect, it } from "vitest";
import { cancellationOf } from "./cancel.ts";
import { lastOf, offerOf } from "./leaving.ts";
import { type Facts, type Look, printedDay, printedMinor, printedPrice } from "./page-text.ts";
import { reviewOf } from "./plan-review.ts";
import { subscriptionsOf } from "./subscriptions.ts";

const trouble = expect.objectContaining({ name: "SiteTrouble" });
const page = (change: Partial<Look>): Look => ({ heading: "", step: "", below: "", facts: [], cards: [], ...change });
const changed = (facts: Facts, term: string, text: string): Facts =>
  facts.map((fact) => (fact[0] === term ? ([term, text] as const) : fact));

describe("amounts, prices and days of the service's pages", () => {
  it("are read exactly", () => {
    expect(printedMinor("€13.99")).toBe(1_399);
    expect(printedMinor("€1,139.90")).toBe(113_990);
    expect(printedPrice("€139.90 a year")).toEqual({ minor: 13_990, period: "year" });
    expect(printedDay("2 December 2026")).toBe("2026-12-02");
    expect(printedDay("31 May 2027")).toBe("2027-05-31");
  });

  it.each(["", "13.99", "€13,99", "€13.9", "€1139.90 ", "$13.99", "-€13.99", "€13.99 a month"])(
    "U55 %j is no amount",
    (text) => {
      expect(() => printedMinor(text)).toThrow(trouble);
    },
  );

  it.each(["€13.99", "€13.99 a week", "€13.99 per month", "from €13.99 a month", "€13.99 a month, then €18.99"])(
    "U55 %j is no price",
    (text) => {
      expect(() => printedPrice(text)).toThrow(trouble);
    },
  );

  it.each(["02/12/2026", "31 February 2026", "December 2, 2026", "2 Dec", ""])("%j is no day", (text) => {
    expect(() => printedDay(text)).toThrow(trouble);
  });
});

describe("on the way to cancelling", () => {
  const offer = {
    step: "Cancelling Lantern, Standard: offer 1 of 2",
    heading: "Half price",
    below: "Stay and pay less.",
  };
  const LAST: Facts = [
    ["Your plan", "Lantern, Standard"],
    ["Ends on", "18 December 2026"],
    ["What you lose", "Your lists."],
  ];

  it("APR-2 each offer is read as the site words it, and the last page by its three facts", () => {
    expect(offerOf(page(offer), 1)).toEqual({ offer: { title: "Half price", text: "Stay and pay less." }, count: 2 });
    expect(lastOf(page({ heading: "Cancel your plan?", facts: LAST }))).toEqual({
      plan: "Lantern, Standard",
      endsOn: "2026-12-18",
      consequence: "Your lists.",
    });
  });

  it.each([
    ["not the next one", page({ ...offer, step: "Cancelling Lantern, Standard: offer 2 of 2" })],
    ["one without words", page({ ...offer, below: "" })],
    ["one of a number that nobody knows", page({ ...offer, step: "An offer" })],
  ])("U27 an offer that is %s is not read", (_, look) => {
    expect(() => offerOf(look, 1)).toThrow(trouble);
  });

  it.each([
    ["a fee", page({ heading: "Cancel your plan?", facts: [...LAST, ["Fee", "€5.00"]] })],
    ["half of it", page({ heading: "Cancel your plan?", facts: LAST.slice(0, 2) })],
    ["two days", page({ heading: "Cancel your plan?", facts: [...LAST, ["Ends on", "19 December 2026"]] })],
    ["another page", page({ heading: "Good evening", facts: LAST })],
  ])("U27 a last page with %s is not read", (_, look) => {
    expect(() => lastOf(look)).toThrow(trouble);
  });

  it("a cancellation has a number of the service's", () => {
    const facts: Facts = [
      ["Cancellation", "LC-71305"],
      ["Plan", "Lantern, Standard"],
      ["Ends on", "18 December 2026"],
    ];
    const heading = "Your plan is cancelled";
    expect(cancellationOf(page({ heading, facts }))).toMatchObject({ number: "LC-71305", endsOn: "2026-12-18" });
    expect(() => cancellationOf(page({ heading, facts: changed(facts, "Cancellation", "soon") }))).toThrow(trouble);
  });
});

describe("a plan to check", () => {
  const CHOSEN = { path: "/changing/x", subscription: "lantern", planRef: "premium", plan: "Premium" };
  const FACTS: Facts = [
    ["Subscription", "Lantern"],
    ["New plan", "Premium"],
    ["Plan until now", "Standard"],
    ["Charged now", "€3.00"],
    ["Price", "€18.99 a month"],
    ["Begins on", "30 November 2026"],
    ["Good to know", "It begins today."],
  ];
  const review = (facts: Facts, heading = "Check your new plan") => page({ heading, facts });

  it("APR-2 is read as it stands there", () => {
    expect(reviewOf(review(FACTS), CHOSEN)).toEqual({
      subscription: "lantern",
      planRef: "premium",
      plan: "Premium",
      presentPlan: "Standard",
      currency: "EUR",
      dueNowMinor: 300,
      priceMinor: 1_899,
      period: "month",
      startsOn: "2026-11-30",
      consequence: "It begins today.",
    });
    const bound = [...FACTS, ["Bound until", "29 November 2027"] as const];
    expect(reviewOf(review(bound), CHOSEN)).toMatchObject({ boundEndsOn: "2027-11-29" });
  });

  it.each([
    ["another plan", review(changed(FACTS, "New plan", "Basic with adverts"))],
    ["a fee beside it", review([...FACTS, ["Fee", "€1.00"]])],
    ["half of it", review(FACTS.slice(0, 4))],
    ["a price that ends", review(changed(FACTS, "Price", "€18.99 for now"))],
    ["another heading", review(FACTS, "Good evening")],
  ])("U27 with %s is not read", (_, look) => {
    expect(() => reviewOf(look, CHOSEN)).toThrow(trouble);
  });
});

describe("the list of subscriptions", () => {
  const FACTS: Facts = [
    ["State", "Active"],
    ["Plan", "Standard"],
    ["Price", "€13.99 a month"],
    ["Last charged", "18 November 2026"],
    ["Next charge", "18 December 2026"],
    ["Charged by", "Lantern Media Ltd"],
  ];
  const links = ["/subscriptions/lantern/plan", "/subscriptions/lantern/cancel"];
  const list = (facts: Facts, to: readonly string[] = links) =>
    page({ heading: "Your subscriptions", cards: [{ title: "Lantern", facts, links: to }] });

  it("is read card by card", () => {
    expect(subscriptionsOf(list(FACTS))).toMatchObject([
      { id: "lantern", status: "active", priceMinor: 1_399, period: "month", nextOn: "2026-12-18" },
    ]);
  });

  it.each([
    ["a state that is not known", list(changed(FACTS, "State", "Frozen"))],
    ["something more", list([...FACTS, ["Discount", "€1.00"]])],
    ["no way to its plan", list(FACTS, ["/account"])],
    ["a way to two", list(FACTS, [...links, "/subscriptions/tunes/plan"])],
    ["a way to another host", list(FACTS, ["https://evil.example/subscriptions/lantern/plan"])],
  ])("with %s is not read", (_, look) => {
    expect(() => subscriptionsOf(look)).toThrow(trouble);
  });
});

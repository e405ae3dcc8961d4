import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyShown } from "../shared/policy.ts";
import { claimsOf } from "./claims.ts";
import { coverOf } from "./cover.ts";
import { offerOf } from "./form.ts";
import { type Facts, type Item, type Look, printedDay, printedMinor } from "./page-text.ts";

const trouble = expect.objectContaining({ name: "SiteTrouble" });
const nothing: Look = { heading: "", note: "", items: [], step: undefined, alerts: [] };
const item = (change: Partial<Item>): Item => ({
  list: "",
  heading: "",
  facts: [],
  links: [],
  caption: "",
  head: [],
  rows: [],
  ...change,
});
const changed = (facts: Facts, term: string, text: string): Facts =>
  facts.map((fact) => (fact[0] === term ? [term, text] : fact));

describe("amounts and days of the insurer's pages", () => {
  it.each([
    ["£1,374.00", 137_400],
    ["£0.00", 0],
    ["£450,000.00", 45_000_000],
  ])("%s is read exactly", (text, minor) => {
    expect(printedMinor(text)).toBe(minor);
  });

  it.each(["", "1,374.00", "£1374,00", "£1,37.00", "£1,374", "£1,374.0", "€1,374.00", "-£1.00", "£1,374.00 a month"])(
    "U55 %s is not read",
    (text) => {
      expect(() => printedMinor(text)).toThrow(trouble);
    },
  );

  it("U55 every amount comes back as the insurer prints it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (minor) => {
        const digits = String(minor).padStart(3, "0");
        const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",");
        expect(printedMinor(`£${whole}.${digits.slice(-2)}`)).toBe(minor);
      }),
    );
  });

  it("a day is one of the calendar, in the one form that the insurer prints", () => {
    expect(printedDay("4 November 2026")).toBe("2026-11-04");
    for (const text of ["31 February 2026", "4/11/2026", "November 4 2026", "4 November", "04 November 2026", ""])
      expect(() => printedDay(text), text).toThrow(trouble);
  });
});

const CHOSEN = { draft: "D-5101", policyRef: "pol-home", policy: "Home insurance FMH-1" };
const CHECK: Facts = [
  ["Policy", "Home insurance FMH-1"],
  ["Insured", "Alex Example"],
  ["What happened", "The hose burst.\n  The floor is wet. "],
  ["Day it happened", "21 November 2026"],
  ["Amount claimed", "£840.00"],
  ["Excess, which you bear", "£250.00"],
  ["We expect to pay", "£590.00"],
  ["Paid to", "account ending 7741"],
  ["Your own reference", "CS-1"],
  ["You declare", "It is true."],
];
const check = (facts: Facts, name = "Claim D-5101, step 3 of 3", heading = "Check and send"): Look => ({
  ...nothing,
  heading: "Make a claim",
  step: { name, heading, facts },
});

describe("the last step in the frame", () => {
  it("APR-2 is read as it stands there, the person's own words to the last space", () => {
    expect(offerOf(check(CHECK), CHOSEN)).toEqual({
      policy: { id: "pol-home", name: "Home insurance", number: "FMH-1" },
      insured: "Alex Example",
      happenedOn: "2026-11-21",
      description: "The hose burst.\n  The floor is wet. ",
      ownReference: "CS-1",
      currency: "GBP",
      claimedMinor: 84_000,
      excessMinor: 25_000,
      paidTo: "account ending 7741",
      declaration: "It is true.",
    });
  });

  it.each([
    ["a payout that does not follow", check(changed(CHECK, "We expect to pay", "£591.00"))],
    ["another policy", check(changed(CHECK, "Policy", "Car insurance FMC-1"))],
    ["another claim that was begun", check(CHECK, "Claim D-5102, step 3 of 3")],
    ["another step", check(CHECK, "Claim D-5101, step 2 of 3", "When, and how much?")],
    ["something more", check([...CHECK, ["Fee", "£5.00"]])],
    ["something twice", check([...CHECK, ["Paid to", "another account"]])],
    ["half of it", check(CHECK.slice(0, 6))],
    ["no window at all", { ...nothing, heading: "You are signed out" }],
  ])("U27 with %s it is not read at all", (_, seen) => {
    expect(() => offerOf(seen, CHOSEN)).toThrow(trouble);
  });
});

describe("lists", () => {
  const COVER: Facts = [
    ["Policy number", "FMH-1"],
    ["Insured", "Alex Example"],
    ["Runs from", "3 May 2026"],
    ["Runs until", "2 May 2027"],
    ["Premium", "£27.40 a month"],
    ["Excess", "£250.00 of each claim"],
  ];
  const policy = item({
    heading: "Home insurance",
    facts: COVER,
    links: [{ text: "Claim on this policy", href: "/claims/new?policy=pol-home" }],
    caption: "What is covered",
    head: ["Cover", "Up to", "Used", "We pay", "Note"],
    rows: [["Contents", "£60,000.00", "£1,124.00", "100%", "New for old"]],
  });
  const cover = (one: Item): Look => ({
    ...nothing,
    heading: "Your cover",
    note: "Alex Example, member 4482-1097",
    items: [one],
  });

  it("U44 whose cover it is is the insurer's word, and what is covered is read exactly", () => {
    const seen = coverOf(cover(policy));
    expect(seen).toMatchObject({ holder: "Alex Example", memberNumber: "4482-1097" });
    expect(seen.policies[0]).toMatchObject({ id: "pol-home", premiumMinor: 2_740, premiumPer: "month" });
    expect(() => coverOf({ ...cover(policy), note: "Alex Example" })).toThrow(trouble);
  });

  it.each([
    ["another column", { ...policy, head: ["Cover", "Up to", "We pay", "Note"] }],
    ["a cell less", { ...policy, rows: [["Contents", "£60,000.00", "100%", ""]] }],
    ["a share that is none", { ...policy, rows: [["Contents", "£1.00", "£0.00", "101%", ""]] }],
    ["another kind", { ...policy, heading: "Pet insurance" }],
    ["no way to its claims", { ...policy, links: [] }],
    ["a premium of another time", { ...policy, facts: changed(COVER, "Premium", "£27.40 a week") }],
  ])("a policy with %s is not read", (_, one) => {
    expect(() => coverOf(cover(one))).toThrow(trouble);
  });

  const CLAIM: Facts = [
    ["Claim number", "FM-1"],
    ["Policy", "Home insurance FMH-1"],
    ["Happened on", "21 November 2026"],
    ["Sent on", "22 November 2026"],
    ["Status", "Being assessed"],
    ["Claimed", "£840.00"],
    ["Excess", "£250.00"],
  ];
  const policies = [{ id: "pol-home", name: "Home insurance", number: "FMH-1" }] as unknown as readonly PolicyShown[];
  const claim = (facts: Facts, list = "Claims sent") => item({ list, heading: "Hose", facts });
  const draft = item({
    list: "Claims not sent",
    heading: "Claim D-7",
    facts: [
      ["Your own reference", ""],
      ["State", "Lapsed"],
    ],
  });
  const list = (...items: Item[]): Look => ({ ...nothing, heading: "Your claims", items });

  it("what was sent and what was not stand apart", () => {
    const seen = claimsOf(list(claim(CLAIM), draft), policies);
    expect(seen.claims).toMatchObject([
      { number: "FM-1", policyRef: "pol-home", status: "in_review", ownReference: "" },
    ]);
    expect(seen.notSent).toEqual(["D-7"]);
  });

  it.each([
    ["a state that is not known", list(claim(changed(CLAIM, "Status", "Perhaps")))],
    ["a policy that is not the person's", list(claim(changed(CLAIM, "Policy", "Boat FMB-1")))],
    ["something more", list(claim([...CLAIM, ["Fee", "£1.00"]]))],
    ["another list", list(claim(CLAIM, "Claims of others"))],
    ["another page", { ...list(claim(CLAIM)), heading: "Sign in" }],
  ])("with %s they are not read", (_, seen) => {
    expect(() => claimsOf(seen, policies)).toThrow(trouble);
  });
});

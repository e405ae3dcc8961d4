import { practiceInsurer } from "@countersign/adapter-practice-insurer";
import type { RouteKind } from "@countersign/plugin";
import { type PracticeInsurer, startPracticeInsurer } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { expect } from "vitest";
import { LiveWindow } from "../support/live.ts";
import type { Person } from "../support/person.ts";
import type { OpenWorldSite, WorldSite } from "./site.ts";

const WRONG_CODE = "000000";
const EXCESS_MORE_MINOR = 2_500;
const STORY = "The hose of the washing machine burst; the floor of the hall has to be replaced.";
const DAY_MS = 86_400_000;
/** In the past whatever the day is, and while both policies run. */
const incidentOn = (): string => new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);

/** The practice insurer in the table. */
export const insurerInWorld: WorldSite = {
  id: "practice-insurer",
  site: practiceInsurer,
  async open(): Promise<OpenWorldSite> {
    const insurer = await startPracticeInsurer();
    const { control } = insurer;
    // Each cookie that the site changes ends its predecessor: whoever does not take the new one over is signed out.
    control.strictCookies();
    return {
      origin: insurer.origin,
      alsoOrigins: [insurer.claimsOrigin],
      control: {
        loseAnswer: () => control.commitThenDrop({ times: 1 }),
        endSession: control.endSession,
        dearer: () => control.excess(EXCESS_MORE_MINOR),
        asBefore: () => control.excess(0),
        counters: control.counters,
      },
      effects: () => control.counters().claims,
      signIn: (person, ref, route) => signIn(insurer, person, ref, route),
      secrets: () => ({
        password: insurer.user.password,
        "authenticator key": insurer.user.totpSecret,
        ...Object.fromEntries(control.issued().map((cookie, at) => [`cookie ${at} of the insurer's`, cookie])),
      }),
      close: insurer.close,
    };
  },
  rows: {
    "insurance.coverage.list": {
      parameters: () => ({}),
      result: () => ({
        policies: [
          expect.objectContaining({
            policy_ref: "pol-home-204418",
            number: "FMH-204418",
            name: "Home insurance",
            kind: "home",
            insured: "Alex Example",
            currency: "GBP",
            premium_minor: 2_740,
            premium_period: "month",
            benefits: expect.arrayContaining([
              {
                title: "Theft away from home",
                limit_minor: 250_000,
                used_minor: 0,
                deductible_minor: 25_000,
                covered_percent: 80,
                note: "Not from an unlocked car",
              },
            ]),
          }),
          expect.objectContaining({ policy_ref: "pol-car-771903", kind: "car", premium_period: "year" }),
        ],
      }),
    },
    "insurance.claims.list": {
      parameters: () => ({ policy_ref: "pol-car-771903", limit: 5 }),
      result: () => ({
        claims: [
          expect.objectContaining({
            number: "FM-237105",
            title: "Windscreen cracked by a stone",
            status: "in_review",
            status_text: "Being assessed",
            currency: "GBP",
            claimed_minor: 46_820,
          }),
        ],
      }),
    },
    "insurance.claim.submit": {
      parameters: () => ({
        policy_ref: "pol-home-204418",
        incident_on: incidentOn(),
        claimed_minor: 84_000,
        currency: "GBP",
        description: STORY,
      }),
      result: () => ({
        claim_ref: expect.stringMatching(/^FM-\d+$/),
        status: "received",
        currency: "GBP",
        claimed_minor: 84_000,
      }),
    },
  },
};

async function signIn(insurer: PracticeInsurer, person: Person, ref: string, route: RouteKind): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200, `the hand-off begins: ${begun.text}`);
  const { email, password } = insurer.user;
  if (route === "browser") return signInLive(insurer, person, ref);
  const form = (values: Readonly<Record<string, string>>) => person.post(`/continuations/${ref}/form`, { values });
  assert((await form({ email, password })).json["kind"] === "more", "the code is asked for");
  assert((await form({ code: WRONG_CODE })).json["kind"] === "more", "a wrong code is asked for again");
  const done = await form({ code: insurer.currentCode() });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

/** In the live view, at the insurer's own pages. */
async function signInLive(insurer: PracticeInsurer, person: Person, ref: string): Promise<void> {
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/sign-in");
    window.type(insurer.user.email);
    window.press("Tab");
    window.type(insurer.user.password);
    window.press("Enter");
    await window.shows("/sign-in/verify");
    window.type(insurer.currentCode());
    window.press("Enter");
    await window.shows("/cover");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.status === 200, `the sign-in is done: ${done.text}`);
  } finally {
    window.close();
  }
}

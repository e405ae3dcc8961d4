import { TASK_STATES } from "@countersign/profile";
import { assert, err, type JsonObject, ok } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import type { CrossingFacts } from "../../packages/gateway/src/execution/judge.ts";
import { SHORT } from "./bounds.ts";
import type { Bounds } from "./model.ts";
import { type Rules, SHIPPED } from "./rules.ts";
import { explore } from "./search.ts";

/** Seconds on a machine of its own, more on a busy one. */
const LONG_MS = 120_000;

describe("STA-6 the machine and its surroundings, explored completely within small bounds", () => {
  const met = new Set<string>();
  it.each(SHORT.map((bounds) => [bounds.name, bounds] as const))(
    "%s",
    (_name, bounds) => {
      const result = explore(bounds);
      expect(result.violation).toBeUndefined();
      expect(result.states).toBeGreaterThan(1_000);
      for (const state of result.met) met.add(state);
    },
    LONG_MS,
  );
  it("every state of the machine was met on the way", () => {
    expect([...TASK_STATES].filter((state) => !met.has(state))).toEqual([]);
  });
});

/** The judge as it is, of facts that say that all is well with one thing. */
function blindTo(change: (facts: CrossingFacts) => Partial<CrossingFacts>): Partial<Rules> {
  return { judge: (facts) => SHIPPED.judge({ ...facts, ...change(facts) }) };
}

const LATER = 1_000_000_000;
const farAway = (text: string): string => text.replace(/^\d{4}/, "2030");

interface Weaker {
  readonly without: string;
  readonly found: RegExp;
  readonly rules: Partial<Rules>;
  readonly bounds?: Partial<Bounds>;
}

/** Time enough for a lease to run out before its approval does. */
const LONGER = { recordTicks: 2, requestUntil: 3, grantUntil: 4, clockEnd: 5 } as const;
const itsTurn = ({ task, claimed, now }: CrossingFacts) => ({
  task: { ...task, ...claimed, lease_owner: "me", lease_until: now + 1 },
});
const crossesFromAnywhere: Partial<Rules> = {
  step: (task, event) =>
    event.type === "crossed" ? ok({ from: task.state, to: "executing", submitted: true }) : SHIPPED.step(task, event),
};

const WEAKER: readonly Weaker[] = [
  {
    without: "the lease",
    found: /without the lease/,
    rules: blindTo(({ task, now }) => ({ task: { ...task, lease_owner: "me", lease_until: now + 1 } })),
    bounds: LONGER,
  },
  {
    without: "lease, fence and version",
    found: /row that has moved|without the lease/,
    rules: blindTo(itsTurn),
    bounds: LONGER,
  },
  {
    without: "the approval, and the state that waits for it",
    found: /without an approval/,
    rules: {
      ...blindTo((facts) => {
        const { action, digest, record, task } = facts;
        const id = { action_id: record.action_id, digest, expires_at: action?.expires_at ?? LATER };
        const signed = { taskId: task.task_id, actionId: record.action_id, actionDigest: digest } as const;
        return {
          action: { ...id, status: "approved" },
          approval: { ...signed, method: "session", decision: "approved" },
          task: { ...itsTurn(facts).task, state: "executing" },
        };
      }),
      ...crossesFromAnywhere,
    },
  },
  {
    without: "the end of the approval",
    found: /approval had run out/,
    rules: blindTo(laterRecord),
  },
  {
    without: "the end of the request",
    found: /request had run out/,
    rules: blindTo((facts) => ({
      ...laterRecord(facts),
      task: { ...facts.task, request_expires_at: facts.task.request_expires_at + LATER },
    })),
    bounds: { recordTicks: 2 },
  },
  {
    without: "the revocation, and the version that it raises",
    found: /after the revocation/,
    rules: blindTo((facts) => ({
      consent: facts.consent && { ...facts.consent, state: "granted" },
      claimed: { ...facts.claimed, version: facts.task.version },
    })),
  },
  {
    without: "the end of the grant",
    found: /grant had run out/,
    rules: blindTo((facts) => ({
      ...laterRecord(facts),
      consent: facts.consent && { ...facts.consent, granted: laterScope(facts.consent.granted) },
    })),
    bounds: { requestUntil: 2, grantUntil: 1 },
  },
  {
    without: "counting the uses of the grant",
    found: /more often than the grant/,
    rules: blindTo(() => ({ used: { total: { actions: 0, minor: 0 } } })),
    bounds: { tasks: 2, workers: 1 },
  },
  {
    without: "comparing the terms",
    found: /terms that were not approved/,
    rules: blindTo(({ record }) => ({ observed: { terms: record.terms as JsonObject } })),
    bounds: { termChanges: 1 },
  },
  {
    without: "asking for the connection",
    found: /without a connection/,
    rules: blindTo(() => ({ connection: { state: "connected" } })),
    bounds: { sessionLosses: 1, requestUntil: 1, grantUntil: 2, clockEnd: 3 },
  },
  {
    without: "the unknown outcome (a lost answer is tried again)",
    found: /a submission was forgotten/,
    rules: {
      step: (task, event) =>
        event.type === "answer_lost"
          ? ok({ from: task.state, to: "validating", submitted: false })
          : SHIPPED.step(task, event),
    },
  },
  {
    without: "the two sides of the boundary (what was submitted is cancelled)",
    found: /called cancelled/,
    rules: {
      step: (task, event) =>
        event.type === "cancelled"
          ? ok({ from: task.state, to: "cancelled", submitted: task.submitted, reason: event.reason })
          : SHIPPED.step(task, event),
    },
  },
  {
    without: "the time that an order has to show",
    found: /called failed/,
    rules: { absenceCounts: () => true },
  },
  {
    without: "the time within which a request may leave",
    found: /called failed/,
    rules: { mayLeave: () => true },
    bounds: { clockEnd: 6 },
  },
  {
    without: "the mark of a submission, and both unique keys",
    found: /what left is called cancelled|crossed twice/,
    rules: {
      usesApprovalOnce: false,
      submitsOnce: false,
      step: (task, event) =>
        event.type === "crossed"
          ? ok({ from: task.state, to: "executing", submitted: false })
          : SHIPPED.step(task, event),
    },
    bounds: { crashes: 1, workers: 1 },
  },
  {
    without: "one task of an account at a time",
    found: /two tasks of one account/,
    rules: { oneTaskAnAccount: false },
    bounds: { tasks: 2 },
  },
  {
    without: "letting a lease that has run out be",
    found: /two tasks of one account/,
    rules: { revivesLeases: true },
    bounds: { ...LONGER, tasks: 2 },
  },
  { without: "an end of the reading back", found: /no task can be settled/, rules: { absenceCounts: () => false } },
  {
    without: "telling a refusal from a confirmation",
    found: /never ordered/,
    rules: {
      step: (task, event) =>
        event.type === "rejected" ? SHIPPED.step(task, { type: "confirmed" }) : SHIPPED.step(task, event),
    },
  },
];

/** The record in hand and the one in the store, both still in force. */
function laterRecord({ action, record }: CrossingFacts): Partial<CrossingFacts> {
  const later = { record: { ...record, expires_at: farAway(record.expires_at) } };
  return action === undefined ? later : { ...later, action: { ...action, expires_at: action.expires_at + LATER } };
}

function laterScope(granted: string | null): string | null {
  return granted?.replace(/("expires_at":")\d{4}/, "$12030") ?? null;
}

describe("STA-6 the explorer finds what goes wrong without", () => {
  const [first] = SHORT;
  it.each(WEAKER)(
    "$without",
    ({ found, rules, bounds }) => {
      assert(first !== undefined, "there are bounds");
      const small = { ...first, workers: 2, crashes: 0, sessionLosses: 0, termChanges: 0, ...bounds };
      const result = explore(small, { ...SHIPPED, ...rules });
      expect(result.violation?.what ?? "nothing was found").toMatch(found);
      expect(result.violation?.trace.length).toBeGreaterThan(0);
    },
    LONG_MS,
  );

  it("and a world in which nothing may cross is told from one in which all went well", () => {
    assert(first !== undefined, "there are bounds");
    const closed: Rules = { ...SHIPPED, judge: () => err({ kind: "lost_lease" }) };
    expect(explore(first, closed).met.has("succeeded")).toBe(false);
  });
});

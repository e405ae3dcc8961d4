import { isTerminal, mayMove, TASK_STATES, type TaskState } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { type Machine, type MachineEvent, step } from "./step.ts";

const EVENTS: readonly MachineEvent[] = [
  { type: "checks_begun" },
  { type: "sign_in_needed" },
  { type: "signed_in" },
  { type: "terms_frozen" },
  { type: "unasked" },
  { type: "approved" },
  { type: "work_begun" },
  { type: "crossed" },
  { type: "read_done" },
  { type: "confirmed" },
  { type: "rejected", reason: "site_refused" },
  { type: "answer_lost" },
  { type: "denied", reason: "grant_revoked" },
  { type: "expired", reason: "request_expired" },
  { type: "failed", reason: "site_gap" },
  { type: "cancelled", reason: "withdrawn_by_agent" },
];

/** Every machine that can be reached from a fresh task by any sequence of events, with one way to it. */
function reachable(
  effect: "read" | "commit",
): ReadonlyMap<string, { readonly machine: Machine; readonly way: readonly string[] }> {
  const first: Machine = { state: "received", effect, submitted: false };
  const seen = new Map([[JSON.stringify(first), { machine: first, way: [] as readonly string[] }]]);
  const queue = [...seen.values()];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const event of EVENTS) {
      const moved = step(at.machine, event);
      if (!moved.ok) continue;
      const machine: Machine = { state: moved.value.to, effect, submitted: moved.value.submitted };
      const key = JSON.stringify(machine);
      if (seen.has(key)) continue;
      const next = { machine, way: [...at.way, event.type] };
      seen.set(key, next);
      queue.push(next);
    }
  }
  return seen;
}

describe("STA-6 the machine, exhaustively", () => {
  it.each(["read", "commit"] as const)("every transition of a %s stands in the published table", (effect) => {
    for (const { machine } of reachable(effect).values()) {
      for (const event of EVENTS) {
        const moved = step(machine, event);
        if (moved.ok)
          expect(mayMove(machine.submitted ? "submitted" : "before", moved.value.from, moved.value.to)).toBe(true);
      }
    }
  });

  it("STA-2 a commit succeeds only after it has crossed, and crosses only while it executes", () => {
    for (const { machine, way } of reachable("commit").values()) {
      if (machine.state === "succeeded") expect(way).toContain("crossed");
      if (!step(machine, { type: "crossed" }).ok) continue;
      expect(machine).toMatchObject({ state: "executing", submitted: false });
    }
  });

  it("STA-6 nothing crosses twice", () => {
    for (const { machine } of reachable("commit").values()) {
      if (machine.submitted) expect(step(machine, { type: "crossed" }).ok).toBe(false);
    }
  });

  it("STA-4 after the crossing nothing is denied, expired, cancelled or failed but by the site", () => {
    const submitted = [...reachable("commit").values()].filter((m) => m.machine.submitted);
    expect(submitted.map((m) => m.machine.state).sort()).toEqual([
      "executing",
      "failed",
      "outcome_unknown",
      "succeeded",
    ]);
    for (const { machine } of submitted) {
      for (const event of EVENTS.filter((e) =>
        ["denied", "expired", "cancelled", "failed", "sign_in_needed", "terms_frozen"].includes(e.type),
      )) {
        expect(step(machine, event).ok).toBe(false);
      }
    }
  });

  it("STA-1 nothing leaves a terminal state, and every state is reached by a commit", () => {
    const states = new Set<TaskState>();
    for (const { machine } of reachable("commit").values()) {
      states.add(machine.state);
      if (isTerminal(machine.state)) for (const event of EVENTS) expect(step(machine, event).ok).toBe(false);
    }
    expect([...states].sort()).toEqual([...TASK_STATES].sort());
  });

  it("APR-1 a read never asks for approval and never is unknown", () => {
    const states = [...reachable("read").values()].map((m) => m.machine.state);
    expect(states).not.toContain("approval_required");
    expect(states).not.toContain("outcome_unknown");
  });
});

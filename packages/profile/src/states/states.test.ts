import { expect, it } from "vitest";
import { REASONS } from "../reasons/reasons.ts";
import { isTerminal, mayMove, NEXT_STEP, TASK_STATES, TRANSITIONS } from "./states.ts";

it("STA-1 every state has a row on both sides of the boundary and a next step", () => {
  for (const side of ["before", "submitted"] as const) expect(Object.keys(TRANSITIONS[side])).toEqual([...TASK_STATES]);
  expect(Object.keys(NEXT_STEP)).toEqual([...TASK_STATES]);
});

it("STA-1 nothing leaves a terminal state", () => {
  for (const state of TASK_STATES.filter(isTerminal)) {
    for (const to of TASK_STATES) {
      expect(mayMove("before", state, to)).toBe(false);
      expect(mayMove("submitted", state, to)).toBe(false);
    }
  }
});

it("STA-4 after the boundary only succeeded, failed and outcome_unknown can be reached", () => {
  const reached = new Set(Object.values(TRANSITIONS.submitted).flat());
  expect([...reached].sort()).toEqual(["failed", "outcome_unknown", "succeeded"]);
});

it("REQ-2 each reason has one row with a word on every wire", () => {
  for (const [reason, wire] of Object.entries(REASONS)) {
    expect(wire.title.length, reason).toBeGreaterThan(10);
    expect(Number.isInteger(wire.http) && Number.isInteger(wire.jsonRpc), reason).toBe(true);
    expect(wire.commerce, reason).toMatch(/^[a-z_]+$/);
  }
});

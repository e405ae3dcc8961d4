import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { fingerprintOf, matchOwn, type OwnActs, ownReference, readFingerprint, traceOf } from "./own-reference.ts";

const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  action_id: "act_1",
  operation: "utilities.bill.pay",
} as unknown as ActionRecord;
const OURS = ownReference(record);

describe("the task's own reference", () => {
  it("U03 is one for every record of a task and another for every other task, and says nothing about it", () => {
    expect(ownReference({ ...record, action_id: "act_2" } as ActionRecord)).toBe(OURS);
    for (const change of [
      { task_id: "task_2" },
      { operation: "utilities.plan.change" },
      { issuer: "https://b.example" },
    ])
      expect(ownReference({ ...record, ...change } as ActionRecord)).not.toBe(OURS);
    expect(OURS).toMatch(/^CS-[0-9a-f]{24}$/);
  });
});

describe("the fingerprint of a submission", () => {
  it("U04 is read as it was made", () => {
    expect(readFingerprint(fingerprintOf(record, "D-7"))).toEqual({
      ok: true,
      value: { ownReference: OURS, draft: "D-7", alike: false },
    });
    expect(readFingerprint(traceOf(record))).toEqual({ ok: true, value: { ownReference: OURS, alike: true } });
  });

  it("U45 of another version, or of no form at all, is refused", () => {
    for (const other of [{ ...traceOf(record), v: 1 }, { v: 2 }, {}, { ...traceOf(record), own_reference: 7 }])
      expect(readFingerprint(other)).toEqual({ ok: false, reason: "unreadable" });
  });
});

describe("STA-3 (U04) a submission among what the site lists", () => {
  interface Row {
    readonly number: string;
    readonly by: string;
    readonly amount: number;
  }
  const acts: OwnActs<Row> = {
    reference: ({ by }) => by,
    isWanted: ({ amount }) => amount === 100,
    isAlike: ({ amount }) => amount === 100,
    confirmation: ({ number }) => ({ confirmation: number, result: {} }),
  };
  const ours: Row = { number: "1", by: OURS, amount: 100 };
  const theirs: Row = { number: "2", by: "", amount: 100 };
  const sent = { ownReference: OURS, draft: "D-7", alike: false };
  const trace = { ownReference: OURS, alike: true };

  it("is what carries the task's own reference, whatever else stands there", () => {
    expect(matchOwn([theirs, ours], sent, record, acts)).toMatchObject({ kind: "found", confirmation: "1" });
    expect(matchOwn([theirs], sent, record, acts)).toEqual({ kind: "none" });
  });

  it("is unclear when two carry it, and when something else does", () => {
    expect(matchOwn([ours, { ...ours, number: "3" }], sent, record, acts)).toMatchObject({ kind: "unclear" });
    expect(matchOwn([{ ...ours, amount: 1 }], sent, record, acts)).toMatchObject({ kind: "unclear" });
  });

  it("is unclear beside an equal act when only the record has survived", () => {
    expect(matchOwn([theirs], trace, record, acts)).toMatchObject({ kind: "unclear" });
    expect(matchOwn([{ ...theirs, amount: 1 }], trace, record, acts)).toEqual({ kind: "none" });
    const { isAlike: _, ...alwaysMarked } = acts;
    expect(matchOwn([theirs], trace, record, alwaysMarked)).toEqual({ kind: "none" });
  });
});

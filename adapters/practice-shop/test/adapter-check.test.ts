import { reportLines, runCheck } from "@countersign/adapter-kit";
import { expect, it } from "vitest";
import { check } from "./check.ts";

it("MAP-6 the practice shop's API adapter keeps every promise, with every fault on", async () => {
  const report = await runCheck(check);
  expect(report.broken, reportLines(report).join("\n")).toEqual([]);
  // A cancellation has no code, and is done once; an order has been through everything.
  const ordered = report.not_tried.filter(({ operation }) => !operation.endsWith(".cancel"));
  expect(ordered).toEqual([]);
  expect(report.faults).toHaveLength(8);
});

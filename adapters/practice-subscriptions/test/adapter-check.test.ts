import { reportLines, runCheck } from "@countersign/adapter-kit";
import { expect, it } from "vitest";
import { check } from "./check.ts";

it("MAP-6 the practice subscription service's API adapter keeps every promise, with every fault on", async () => {
  const report = await runCheck(check);
  expect(report.broken, reportLines(report).join("\n")).toEqual([]);
  // The service wants no code after a submission; all else has been tried.
  const untried = report.not_tried.filter(({ fault }) => fault !== "second_factor");
  expect(untried, reportLines(report).join("\n")).toEqual([]);
});

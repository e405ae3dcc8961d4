import { CASE_GROUPS } from "../case.ts";
import type { CaseReport, ConformanceReport } from "./report.ts";

const WORDS: Readonly<Record<CaseReport["result"], string>> = {
  passed: "pass",
  failed: "FAIL",
  not_applicable: "n/a ",
  not_run: "ERR ",
};

/** The report for people: grouped, what failed with what was done and seen, and one closing line. */
export function reportLines(report: ConformanceReport): readonly string[] {
  const lines = [`Conformance of ${report.gateway} with ${report.profile}, over ${report.transport}`];
  for (const group of CASE_GROUPS) {
    const cases = report.cases.filter((c) => c.group === group);
    if (cases.length === 0) continue;
    lines.push("", group);
    for (const one of cases) lines.push(...caseLines(one));
  }
  const { passed, failed, not_applicable: na, not_run: errors } = report.totals;
  lines.push("", report.notice, closing(passed, failed, na, errors));
  return lines;
}

function caseLines(one: CaseReport): readonly string[] {
  const others = one.requirements.filter((id) => id !== one.id).join(" ");
  const head = `  ${WORDS[one.result]}  ${one.id.padEnd(14)} ${one.claim}${others === "" ? "" : ` [${others}]`}`;
  if (one.result === "passed") return [head];
  const why = `                       ${one.why ?? ""}`;
  if (one.result === "not_applicable") return [head, why];
  return [
    head,
    why,
    ...one.did.map((step) => `                       - ${step}`),
    ...one.evidence.map(({ what, value }) => `                       > ${what}: ${JSON.stringify(value)}`),
  ];
}

function closing(passed: number, failed: number, na: number, errors: number): string {
  const parts = [
    `${passed} passed`,
    `${failed} failed`,
    ...(na > 0 ? [`${na} not applicable`] : []),
    ...(errors > 0 ? [`${errors} could not be run`] : []),
  ];
  const verdict = failed + errors > 0 ? "NOT PASSED" : passed === 0 ? "NOTHING WAS RUN" : "PASSED";
  return `${verdict}: ${parts.join(", ")}.`;
}

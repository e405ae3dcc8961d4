import { FAULTS, type FaultName } from "./contract.ts";
import { PROMISES, type PromiseName } from "./promises.ts";

/** One promise that the adapter was seen to break. */
export interface Break {
  readonly promise: PromiseName;
  readonly operation: string;
  /** What was going on: a step, and a fault where one was on. */
  readonly during: string;
  /** What was seen, in plain words; no value of the site's. */
  readonly seen: string;
}

export interface NotTried {
  readonly operation: string;
  readonly fault: FaultName | "act_elsewhere" | "other_wish" | "operation";
  readonly why: string;
}

export interface CheckReport {
  readonly v: 1;
  readonly adapter: string;
  readonly route: string;
  readonly passed: boolean;
  readonly operations: readonly string[];
  /** Faults that were on at least once. */
  readonly faults: readonly FaultName[];
  /** Steps of the adapter that were called. */
  readonly steps: number;
  readonly broken: readonly Break[];
  readonly not_tried: readonly NotTried[];
  /** What is no broken promise and still worth knowing. */
  readonly notes: readonly string[];
}

/** The report for a person: broken promises first, each with what was seen; then what was not tried. */
export function reportLines(report: CheckReport): readonly string[] {
  const lines = [`${report.adapter} by ${report.route}: ${report.operations.join(", ")}`];
  for (const name of Object.keys(PROMISES) as PromiseName[]) {
    const broken = report.broken.filter((one) => one.promise === name);
    if (broken.length === 0) continue;
    lines.push("", `BROKEN ${name}: ${PROMISES[name]}`);
    for (const { operation, during, seen } of broken) lines.push(`  ${operation}, ${during}: ${seen}`);
  }
  if (report.not_tried.length > 0) lines.push("", "Not tried:");
  for (const { operation, fault, why } of report.not_tried) lines.push(`  ${operation}, ${words(fault)}: ${why}`);
  if (report.notes.length > 0) lines.push("", "Worth knowing:");
  for (const note of report.notes) lines.push(`  ${note}`);
  const faults = `${report.faults.length} of ${FAULTS.length} faults, ${report.steps} steps`;
  const held = report.passed ? "no promise broken" : `${new Set(report.broken.map((b) => b.promise)).size} broken`;
  lines.push("", `${held} (${faults}). This is a test report, not a certificate.`);
  return lines;
}

export function words(name: string): string {
  return name.replaceAll("_", " ");
}

import { readFileSync } from "node:fs";

const KIB = 1_024;

/** What a process holds of the machine's memory; Linux says so. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / KIB;
}

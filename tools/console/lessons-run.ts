import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lessons, lessonsIn, provingFiles } from "./lessons.ts";
import { lessonsMs } from "./limits.ts";

const root = join(import.meta.dirname, "..", "..");

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Prints which files prove each lesson. @returns one failure for each lesson that nothing proves. */
export function tellProofs(say: (line: string) => void): Counts {
  const proofs = provingFiles();
  let failed = 0;
  say("what others were hurt by, and the tests that it does not happen here:");
  for (const [number, words] of lessons) {
    const files = proofs.get(number) ?? [];
    if (files.length === 0) failed += 1;
    say(`  U${number}  ${words}`);
    say(`       ${files.length === 0 ? "NOTHING PROVES IT" : files.join(", ")}`);
  }
  return { passed: 0, failed };
}

/** Runs the tests that name a lesson, and no others. */
export async function runProofs(say: (line: string) => void): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-lessons-"));
  const report = join(folder, "report.json");
  const files = [...new Set([...lessons.keys()].flatMap((number) => provingFiles().get(number) ?? []))];
  try {
    const args = ["run", "--project", "main", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    await vitest([...args, "-t", "\\bU(3[0-9]|4[0-7])\\b", ...files]);
    return count(JSON.parse(readFileSync(report, "utf8")) as Report, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A lesson whose tests were all left out is not proven by them. */
function count(report: Report, say: (line: string) => void): Counts {
  const passed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed");
  const proven = new Set(passed.flatMap(({ fullName }) => lessonsIn(fullName)));
  const open = [...lessons.keys()].filter((number) => !proven.has(number));
  for (const number of open) say(`FAILED  no test of U${number} has passed`);
  const suites = report.numFailedTests === 0 ? report.numFailedTestSuites : 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + suites + open.length };
}

async function vitest(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), ...args], {
    cwd: root,
    stdio: "inherit",
  });
  const late = setTimeout(() => child.kill("SIGTERM"), lessonsMs);
  await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(late);
}

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ensureChromium } from "@countersign/route-browser";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";

// `npm test`: format, lint, types, package order, then every test. Ends with one line of counts. In CI a test that was
// skipped counts as failed: a proof that did not run proves nothing.
const bin = join(import.meta.dirname, "..", "node_modules", ".bin");

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

function run(title: string, command: string, args: readonly string[]): boolean {
  console.log(`\n== ${title}`);
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: "inherit", cwd: join(import.meta.dirname, "..") });
  console.log(`== ${title}: ${status === 0 ? "ok" : "FAILED"} (${Math.round((performance.now() - started) / 1000)} s)`);
  return status === 0;
}

const chromium = await ensureChromium((line) => console.log(line));
if (!chromium.ok) console.log(`WITHOUT A BROWSER: ${chromium.reason.message}`);

// Once, before any test: two that found it old would build it at the same time, into the folder that the other serves.
const built = await ensureConsole((line) => console.log(line));
if (!built.ok) console.log(`WITHOUT THE TRUSTED INTERFACE: ${built.reason}`);

const reportFile = join(tmpdir(), `countersign-tests-${process.pid}.json`);
const checks = [
  run("format and lint", join(bin, "biome"), ["check", "."]),
  run("types", join(bin, "tsc"), ["-p", "tsconfig.json", "--noEmit"]),
  run("package order", process.execPath, [join(import.meta.dirname, "check-imports.ts")]),
];
const vitest = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
// Fails also where no test did: an error that none of them caught.
const ended = run("tests", join(bin, "vitest"), vitest);

const report = readReport();
rmSync(reportFile, { force: true });
for (const line of failures(report)) console.log(line);
const failedChecks = checks.filter((ok) => !ok).length;
const skipped = report.numPendingTests + report.numTodoTests;
if (skipped > 0) console.log(`\nSKIPPED: ${skipped} tests did not run. In CI that is a failure.`);
const counted = process.env["CI"] ? skipped : 0;
const suites = report.numFailedTests === 0 && !(report.success && ended) ? Math.max(1, report.numFailedTestSuites) : 0;
const failed = report.numFailedTests + failedChecks + counted + suites;
console.log(`\n${report.numPassedTests + checks.length - failedChecks} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A line for each test that failed, and for each file that could not be run. */
function failures({ testResults }: Report): readonly string[] {
  const root = join(import.meta.dirname, "..");
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    const said =
      failed.length === 0 && status === "failed"
        ? [["", message]]
        : failed.map((test) => [test.fullName, test.failureMessages?.[0]]);
    return said.map(([title, why]) => `FAILED  ${relative(root, name)} ${title}: ${why?.split("\n", 1)[0] ?? ""}`);
  });
}

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  } catch {
    return {
      numPassedTests: 0,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      numFailedTestSuites: 0,
      success: false,
      testResults: [],
    };
  }
}

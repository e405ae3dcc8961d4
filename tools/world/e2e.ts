import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "@countersign/route-browser";

// `npm run e2e:world`: the whole table of the practice world, every operation by every route of every site in it. Ends
// with one line of counts, as `npm test` does.
const root = join(import.meta.dirname, "..", "..");

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
}

const chromium = await ensureChromium((line) => console.log(line));
if (!chromium.ok) console.log(`WITHOUT A BROWSER: ${chromium.reason.message}`);

const reportFile = join(tmpdir(), `countersign-world-${process.pid}.json`);
const args = ["run", "--project", "main", "test/world", "--reporter=verbose", "--reporter=json"];
const { status } = spawnSync(
  join(root, "node_modules", ".bin", "vitest"),
  [...args, `--outputFile.json=${reportFile}`, ...process.argv.slice(2)],
  { stdio: "inherit", cwd: root, env: { ...process.env, COUNTERSIGN_WORLD: "whole" } },
);
const report = read();
rmSync(reportFile, { force: true });
// A row that did not run proves nothing, and a file that could not be loaded has no rows.
const failed = report.numFailedTests + report.numPendingTests + (report.numFailedTests === 0 && status !== 0 ? 1 : 0);
console.log(`\n${report.numPassedTests} passed, ${failed} failed`);
process.exit(failed === 0 && report.numPassedTests > 0 ? 0 : 1);

function read(): Report {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numFailedTestSuites: 1 };
  }
}

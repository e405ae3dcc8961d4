import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type CheckReport, findCheck, loadCheck, reportLines, runCheck } from "@countersign/adapter-kit";
import { type ExitCode, print, printJson, say } from "../cli.ts";
import { sharePackagesWith } from "../plugins/shared-packages.ts";

export interface CheckOptions {
  readonly only: readonly string[] | undefined;
  readonly show: "lines" | "json";
}

export async function checkAdapter(path: string, { only, show }: CheckOptions): Promise<ExitCode> {
  const file = findCheck(path);
  if (!file.ok) return fail(file.reason);
  // An adapter in a folder of its own needs no installed packages, and uses ours in any case.
  sharePackagesWith(`${pathToFileURL(dirname(file.value)).href}/`);
  const check = await loadCheck(file.value);
  if (!check.ok) return fail(check.reason);
  const unknown = only?.find((id) => !check.value.operations.some((each) => each.operation === id));
  if (unknown !== undefined) {
    const known = check.value.operations.map(({ operation }) => operation).join(", ");
    say(`countersign adapter check: the check names no operation "${unknown}"; it has ${known}`);
    return 2;
  }
  let report: CheckReport;
  try {
    report = await runCheck(check.value, { progress: say, ...(only === undefined ? {} : { only }) });
  } catch (error) {
    return fail(`the check itself could not run: ${error instanceof Error ? error.message : "unknown"}`);
  }
  if (show === "json") printJson(report);
  else for (const line of reportLines(report)) print(line);
  return report.passed ? 0 : 1;
}

function fail(why: string): ExitCode {
  say(`countersign adapter check: ${why}`);
  return 1;
}

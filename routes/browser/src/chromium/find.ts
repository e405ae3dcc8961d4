import { accessSync, constants } from "node:fs";
import { err, ok, type Result } from "@countersign/wire";
import { playwright } from "./playwright.ts";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** `configured_missing`: COUNTERSIGN_CHROMIUM names something that cannot be run; nothing else is tried then. */
export type FindProblem = "not_found" | "configured_missing";

/**
 * A Chromium on this machine: `COUNTERSIGN_CHROMIUM`, the system's, or the one Playwright has downloaded.
 * @returns the path of its program.
 */
export function findChromium(
  env: Readonly<Record<string, string | undefined>>,
  isProgram: (path: string) => boolean = canRun,
): Result<string, FindProblem> {
  const configured = env["COUNTERSIGN_CHROMIUM"];
  if (configured) return isProgram(configured) ? ok(configured) : err("configured_missing");
  const found = INSTALLED.find(isProgram);
  if (found !== undefined) return ok(found);
  const ours = downloaded();
  return ours !== "" && isProgram(ours) ? ok(ours) : err("not_found");
}

function downloaded(): string {
  try {
    return playwright().chromium.executablePath();
  } catch {
    return "";
  }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

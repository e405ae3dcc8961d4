import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "@countersign/wire";
import type { AdapterCheck } from "./contract.ts";

/** Where a check is looked for in a folder, in this order. */
const PLACES = ["check.ts", "check.mts", "check.js", "check.mjs", "test/check.ts", "test/check.js"];

/** The check's own file of an adapter: the path itself, or one of a few names in its folder. */
export function findCheck(path: string): Result<string, string> {
  const full = resolve(path);
  if (!existsSync(full)) return err(`there is nothing at ${path}`);
  if (!statSync(full).isDirectory()) return ok(full);
  const found = PLACES.map((place) => join(full, place)).find((file) => existsSync(file));
  return found === undefined
    ? err(`${path} has no check file; put one at ${PLACES[0]} (see docs/add-a-site.md)`)
    : ok(found);
}

/** Runs the adapter's own module, which is code of the adapter's author. The reason is a sentence for the author. */
export async function loadCheck(file: string): Promise<Result<AdapterCheck, string>> {
  let module: unknown;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    const what =
      error instanceof Error ? `${error.name}: ${(error.message.split("\n")[0] ?? "").slice(0, 300)}` : "unknown";
    return err(`the check file could not be loaded (${what})${placeOf(error)}`);
  }
  const check = typeof module === "object" && module !== null && "check" in module ? module.check : undefined;
  if (check === undefined)
    return err("the check file exports no `check`; write: export const check: AdapterCheck = {...}");
  return isCheck(check) ? ok(check) : err("its `check` has not all of: site, route, open, operations");
}

/** Where a module is wrong, as the first place of the error's trace outside Node itself says it. */
function placeOf(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? "") : "";
  const place = /(?:file:\/\/)?(\/[^\s:()]+:\d+)/.exec(trace)?.[1];
  return place === undefined ? "" : `, at ${place}`;
}

function isCheck(candidate: unknown): candidate is AdapterCheck {
  if (typeof candidate !== "object" || candidate === null) return false;
  const { site, route, open, operations } = candidate as Readonly<Record<string, unknown>>;
  const hasEntries = typeof site === "object" && site !== null && "entries" in site && Array.isArray(site.entries);
  return hasEntries && typeof route === "string" && typeof open === "function" && Array.isArray(operations);
}

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "@countersign/wire";
import type { HolderDriver } from "./holder.ts";

/** Loads another gateway's driver: a module that exports `driver` with the shape of {@link HolderDriver}. */
export async function loadDriver(path: string): Promise<Result<HolderDriver, string>> {
  let module: unknown;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    return err(
      `${path} cannot be loaded: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unknown"}`,
    );
  }
  return isModule(module) ? ok(module.driver) : err(`${path} exports no driver with a function open`);
}

function isModule(module: unknown): module is { readonly driver: HolderDriver } {
  if (typeof module !== "object" || module === null || !("driver" in module)) return false;
  const { driver } = module;
  return typeof driver === "object" && driver !== null && "open" in driver && typeof driver.open === "function";
}

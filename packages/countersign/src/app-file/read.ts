import { readFileSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Application, type ApplicationProblem, readApplication } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { readYaml } from "./yaml.ts";

const BYTES_MAX = 256 * 1_024;
/** The name under which a module says what its application is. */
const EXPORTED = "application";

/**
 * An application from its file: YAML (JSON is YAML too), or a module with `export const application = {…}`. A module is
 * code and runs; it is named by whoever asks and by nothing else. The reason names places and rules, never a value.
 */
export async function readApplicationFile(path: string): Promise<Result<Application, string>> {
  const file = resolve(path);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return err(`there is no file ${path}`);
  if (size > BYTES_MAX) return err(`${path} is larger than ${BYTES_MAX} bytes`);
  const value = await contentOf(file);
  if (!value.ok) return err(`${path}: ${value.reason}`);
  const application = readApplication(value.value);
  return application.ok ? application : err(`${path}: ${application.reason.map(inWords).join("; ")}`);
}

/** The application that the settings name, if they name one; its path is seen from the settings' own folder. */
export async function configuredApplication(
  settings: { readonly application?: string },
  settingsFolder: string,
): Promise<Result<Application | undefined, string>> {
  if (settings.application === undefined) return ok(undefined);
  return readApplicationFile(resolve(settingsFolder, settings.application));
}

async function contentOf(file: string): Promise<Result<unknown, string>> {
  switch (extname(file)) {
    case ".yaml":
    case ".yml":
    case ".json":
      return readYaml(readFileSync(file, "utf8"));
    case ".js":
    case ".mjs":
    case ".ts":
    case ".mts":
      return readModule(file);
    default:
      return err("an application file ends with .yaml, .yml, .json, .ts, .mts, .js or .mjs");
  }
}

async function readModule(file: string): Promise<Result<unknown, string>> {
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    const exported: unknown =
      typeof module === "object" && module !== null && EXPORTED in module ? module[EXPORTED] : undefined;
    return exported === undefined ? err(`the module has no export const ${EXPORTED} = {…}`) : ok(exported);
  } catch (error) {
    return err(`the module could not be loaded (${error instanceof Error ? error.name : "an error"})`);
  }
}

function inWords({ path, rule }: ApplicationProblem): string {
  return path === "" ? rule : `${path}: ${rule}`;
}

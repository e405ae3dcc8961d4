import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type Bundle, isPlugin, type Plugin, type PluginId } from "@countersign/plugin";
import { err, isJsonObject, ok, parseJson, type Result } from "@countersign/wire";
import type { PluginSetting, PluginsSettings } from "./settings.ts";
import { sharePackagesWith } from "./shared-packages.ts";

// Plugins of others run with the gateway's own rights, so each is named by the host, one by one: an installed package by
// its exact name, or a place below one folder. Nothing is scanned and nothing is fetched. A plugin loaded here is not
// trusted: it cannot take the place of a signer, an approver, the egress or a store, unless the host says so.

/** The name under which a plugin's module says what it is. */
const EXPORTED = "plugin";
const WRITABLE_BY_OTHERS = 0o002;
const MODULE = /\.(ts|mts|js|mjs)$/;

export interface OutsidePlugins {
  readonly plugins: readonly (Plugin | Bundle)[];
  readonly trusted: readonly PluginId[];
}

/**
 * Loads what the setting names, in its order. The reason is a sentence for the operator that names the entry and what to
 * do; never the text of an error of theirs, which may hold anything.
 */
export async function loadPlugins(
  settings: PluginsSettings,
  where: { readonly settingsFolder: string },
): Promise<Result<OutsidePlugins, string>> {
  const plugins: (Plugin | Bundle)[] = [];
  const trusted: PluginId[] = [];
  for (const setting of settings.load) {
    const name = "package" in setting ? setting.package : setting.path;
    const address = addressOf(setting, settings.folder, where.settingsFolder);
    if (!address.ok) return err(`plugins: ${name}: ${address.reason}`);
    const loaded = await loadOne(address.value);
    if (!loaded.ok) return err(`plugins: ${name}: ${loaded.reason}`);
    plugins.push(loaded.value);
    if (setting.trusted === true) trusted.push(...partsOf(loaded.value).map((p) => p.manifest.id));
  }
  return ok({ plugins, trusted });
}

function addressOf(setting: PluginSetting, folder: string | undefined, settingsFolder: string): Result<string, string> {
  if (!("package" in setting)) return inFolder(setting.path, resolve(settingsFolder, folder ?? ""));
  return isBuiltin(setting.package) ? err("this is a module of Node itself") : ok(setting.package);
}

/** A file below the folder, or the one that the package.json of a folder there names. Links may not lead out of it. */
function inFolder(path: string, folder: string): Result<string, string> {
  if (!existsSync(folder)) return err(`there is no plugins folder ${folder}`);
  const root = realpathSync(folder);
  const named = join(root, path);
  if (!existsSync(named)) return err(`there is nothing of that name in ${folder}`);
  const entry = statSync(named).isDirectory() ? mainOf(named) : ok(named);
  if (!entry.ok) return entry;
  if (!existsSync(entry.value)) return err(`its package.json names a file that is not there`);
  const file = realpathSync(entry.value);
  const way = relative(root, file);
  if (way === "" || way.split(sep)[0] === ".." || resolve(root, way) !== file)
    return err(`it leads out of the plugins folder ${folder}`);
  if (!MODULE.test(file)) return err("a plugin is a module: .js, .mjs, .ts or .mts");
  // Whoever can write there can run code as the gateway.
  if ([root, file].some((place) => (statSync(place).mode & WRITABLE_BY_OTHERS) !== 0))
    return err("everybody on this machine can write there; run: chmod -R o-w on the plugins folder");
  sharePackagesWith(pathToFileURL(`${root}${sep}`).href);
  return ok(pathToFileURL(file).href);
}

/** `exports` as one path or under `"."`, or `main`; a plugin has one way in. */
function mainOf(folder: string): Result<string, string> {
  const file = join(folder, "package.json");
  const json = existsSync(file) ? parseJson(readFileSync(file, "utf8")) : undefined;
  if (json === undefined || !json.ok || !isJsonObject(json.value))
    return err("the folder has no package.json that can be read");
  const { exports, main } = json.value;
  const way = exports !== undefined && isJsonObject(exports) ? exports["."] : (exports ?? main);
  return typeof way === "string"
    ? ok(join(folder, way))
    : err('its package.json must name its module, as "exports": "./index.js"');
}

async function loadOne(address: string): Promise<Result<Plugin | Bundle, string>> {
  let module: unknown;
  try {
    module = await import(address);
  } catch (error) {
    return err(whyNot(error, address));
  }
  const exported: unknown =
    typeof module === "object" && module !== null && EXPORTED in module ? module[EXPORTED] : undefined;
  if (exported === undefined)
    return err(`its module exports no plugin; write: export const ${EXPORTED} = definePlugin(…)`);
  if (isPlugin(exported)) return ok(exported);
  if (isBundle(exported)) return ok(exported);
  return err("what it exports was not made by definePlugin of this gateway; is @countersign/plugin installed twice?");
}

function isBundle(candidate: unknown): candidate is Bundle {
  if (typeof candidate !== "object" || candidate === null) return false;
  const { name, plugins } = candidate as Readonly<Record<string, unknown>>;
  return typeof name === "string" && Array.isArray(plugins) && plugins.length > 0 && plugins.every(isPlugin);
}

function partsOf(part: Plugin | Bundle): readonly Plugin[] {
  return "plugins" in part ? part.plugins : [part];
}

function whyNot(error: unknown, address: string): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === "ERR_MODULE_NOT_FOUND" && !address.startsWith("file:"))
    return "no package of that name, or one that it needs, is installed beside Countersign; run: npm install with its name";
  if (code === "ERR_MODULE_NOT_FOUND") return "it imports a module that is not installed";
  const name = error instanceof Error ? error.name : "an error";
  return `its module could not be loaded (${code ?? name})`;
}

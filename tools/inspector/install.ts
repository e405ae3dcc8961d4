import { cpSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../conformance/run.ts";

const suite = fileURLToPath(new URL("./suite", import.meta.url));
const VERSION = "2.12.0";

/** The Inspector, installed once into a cache folder outside the project, as the conformance suite is. */
export async function installedInspector(): Promise<string> {
  const base =
    process.env["COUNTERSIGN_CACHE"] || join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "countersign");
  const folder = join(base, `mcp-inspector-${VERSION}`);
  const program = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(suite, file), join(folder, file));
  const code = await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  if (code !== 0 || !existsSync(program)) throw new Error(`the Inspector could not be installed in ${folder}`);
  return program;
}

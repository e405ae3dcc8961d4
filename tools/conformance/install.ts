import { cpSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";

const suite = fileURLToPath(new URL("./suite", import.meta.url));
const VERSION = "0.2.0-alpha.12";

/**
 * The official suite's program, installed once into a cache folder outside the project (`COUNTERSIGN_CACHE` names it),
 * from a lockfile of its own and without install scripts: it brings a hundred packages that nothing of ours needs.
 */
export async function installedSuite(): Promise<string> {
  const base =
    process.env["COUNTERSIGN_CACHE"] || join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "countersign");
  const folder = join(base, `mcp-conformance-${VERSION}`);
  const program = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(suite, file), join(folder, file));
  const code = await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  if (code !== 0 || !existsSync(program)) throw new Error(`the suite could not be installed in ${folder}`);
  return program;
}

import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CONSOLE_DIST } from "@countersign/console";
import { err, ok, type Result } from "@countersign/wire";

/** In a checkout: builds the trusted interface when it is missing or older than its sources. */
export async function ensureConsole(progress: (line: string) => void): Promise<Result<undefined, string>> {
  const page = join(CONSOLE_DIST, "index.html");
  const root = dirname(CONSOLE_DIST);
  const source = join(root, "src");
  if (existsSync(page) && (!existsSync(source) || statSync(page).mtimeMs >= (await newest(source))))
    return ok(undefined);
  progress("Building the trusted interface (once).");
  const vite = join(dirname(createRequire(join(root, "package.json")).resolve("vite/package.json")), "bin", "vite.js");
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, [vite, "build", root, "--logLevel", "error"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  return code === 0 ? ok(undefined) : err("the trusted interface could not be built; the lines above say why");
}

async function newest(folder: string): Promise<number> {
  let latest = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) latest = Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
  }
  return latest;
}

import { access, readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { ToolError } from "../processes/processes.ts";

/** Where distributions put PostgreSQL's programs, one folder a version. */
const versionFolders = ["/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"];
const oldest = 15;

/**
 * The folder of PostgreSQL's own programs (`initdb`, `postgres`), version 15 or newer: the one that
 * `COUNTERSIGN_POSTGRES_BIN` names, else the distribution's newest, else wherever `initdb` is in the path.
 * @throws {ToolError} that says how to install it.
 */
export async function postgresPrograms(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = env["COUNTERSIGN_POSTGRES_BIN"];
  const candidates = named ? [named] : [...(await installed()), ...(env["PATH"] ?? "").split(delimiter)];
  for (const folder of candidates) if (await holdsServer(folder)) return folder;
  throw new ToolError(
    named
      ? `COUNTERSIGN_POSTGRES_BIN names ${named}, which holds no initdb and postgres.`
      : "PostgreSQL 15 or newer is needed for these tests and is not installed; on Debian or Ubuntu: apt-get install postgresql. Or name its folder of programs with COUNTERSIGN_POSTGRES_BIN.",
  );
}

async function installed(): Promise<readonly string[]> {
  const found: { readonly version: number; readonly bin: string }[] = [];
  for (const folder of versionFolders) {
    for (const name of await readdir(folder).catch(() => [])) {
      const version = Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1] ?? 0);
      if (version >= oldest) found.push({ version, bin: join(folder, name, "bin") });
    }
  }
  return found.sort((a, b) => b.version - a.version).map((f) => f.bin);
}

async function holdsServer(folder: string): Promise<boolean> {
  const there = (name: string) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    );
  return folder !== "" && (await there("initdb")) && (await there("postgres"));
}

import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExitCode, say } from "../cli.ts";
import { SHARE_FOLDER } from "./share-folder.ts";

const TEST_FILE = /\.test\.(ts|mts|js|mjs)$/;
const SHARE = fileURLToPath(new URL("./share.ts", import.meta.url));

/** Runs a folder's tests by Node's own runner, with the packages that a gateway would give the adapter. */
export async function testAdapter(path: string): Promise<ExitCode> {
  const folder = resolve(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return fail(`there is no folder ${path}`);
  const tests = join(folder, "test");
  const files = existsSync(tests) ? readdirSync(tests).filter((file) => TEST_FILE.test(file)) : [];
  if (files.length === 0) return fail(`${path} has no test/*.test.ts`);
  const child = spawn(
    process.execPath,
    ["--import", SHARE, "--test", "--test-isolation=none", ...files.map((file) => join(tests, file))],
    { cwd: folder, stdio: "inherit", env: { ...process.env, [SHARE_FOLDER]: folder } },
  );
  return new Promise((resolveCode) => {
    child.on("error", () => resolveCode(fail("Node could not be started")));
    child.on("exit", (code) => resolveCode(code === 0 ? 0 : 1));
  });
}

function fail(why: string): ExitCode {
  say(`countersign adapter test: ${why}`);
  return 1;
}

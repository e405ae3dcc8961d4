import { mkdirSync, statSync } from "node:fs";
import { constants, enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Keeps what Node compiled for the next start, which is then about twice as fast and holds less memory: in a checkout
 * not even what strips types from the sources is loaded, and that is why this file has none. What is kept is code that
 * will run: it stands in a directory of the user's own that nobody else may write to (Node's default is the shared
 * temporary directory), and where there is none nothing is kept. `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {boolean} whether compiled code is kept.
 */
export function useCompileCache(env) {
  // Whoever names a directory themselves has had it used since before the first line of ours.
  if (env["NODE_COMPILE_CACHE"] !== undefined) return true;
  const directory = join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "countersign", "code");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!isOurs(directory)) return false;
  } catch {
    return false;
  }
  const { status } = enableCompileCache(directory);
  const { ENABLED, ALREADY_ENABLED } = constants.compileCacheStatus;
  return status === ENABLED || status === ALREADY_ENABLED;
}

/** @param {string} directory */
function isOurs(directory) {
  const { uid, mode } = statSync(directory);
  const me = process.getuid?.();
  return me === undefined || (uid === me && (mode & 0o022) === 0);
}

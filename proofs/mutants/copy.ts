import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** A working copy of what is tracked, with this checkout's installed packages: mutants never touch the checkout. */
export function workingCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "countersign-mutants-"));
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  for (const file of files.toString("utf8").split("\0").filter(Boolean)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file), { force: true });
  }
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    // Our own packages are links into the workspace: in the copy they must lead to the copy.
    const own = name === "@countersign";
    if (own)
      cpSync(join(ROOT, "node_modules", name), join(copy, "node_modules", name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(ROOT, "node_modules", name), join(copy, "node_modules", name));
  }
  return copy;
}

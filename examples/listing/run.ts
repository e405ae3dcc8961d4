// EX-08: the listing, twice: what this build speaks, and what a sample application uses of it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const command = join(import.meta.dirname, "..", "..", "packages", "countersign", "bin", "countersign.mjs");
// A data directory without settings: this build as it ships, whatever is set up on this machine.
const data = mkdtempSync(join(tmpdir(), "countersign-listing-"));

function protocols(...args: readonly string[]): number {
  console.log(["$ countersign protocols", ...args].join(" "));
  const { status } = spawnSync(process.execPath, [command, "protocols", ...args, "--data", data], {
    cwd: import.meta.dirname,
    stdio: "inherit",
  });
  console.log("");
  return status ?? 1;
}

try {
  process.exitCode = protocols() || protocols("application.yaml");
} finally {
  rmSync(data, { recursive: true, force: true });
}

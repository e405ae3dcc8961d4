import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "countersign-cache-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const code = () => join(home, "countersign", "code");
function use(env: Readonly<Record<string, string>> = {}): string {
  const module = JSON.stringify(join(import.meta.dirname, "..", "..", "bin", "compile-cache.mjs"));
  const script = `import { useCompileCache } from ${module}; process.stdout.write(String(useCompileCache(process.env)));`;
  const { NODE_COMPILE_CACHE: _theirs, ...inherited } = process.env;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...inherited, XDG_CACHE_HOME: home, ...env },
  });
  return child.stdout;
}

it("what was compiled is kept where nobody else can write", () => {
  expect(use()).toBe("true");
  expect(statSync(code()).mode & 0o777).toBe(0o700);
  expect(readdirSync(code()).length).toBeGreaterThan(0);
});

it("code that others could have put there is not run", () => {
  mkdirSync(code(), { recursive: true });
  chmodSync(code(), 0o777);
  expect(use()).toBe("false");
  expect(readdirSync(code())).toEqual([]);
});

it("it can be turned off", () => {
  expect(use({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("false");
});

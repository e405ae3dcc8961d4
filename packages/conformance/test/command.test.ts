import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CASES, conformanceReport } from "../src/index.ts";

const MAIN = fileURLToPath(new URL("../../countersign/src/main.ts", import.meta.url));
const WHOLE_RUN_MS = 300_000;
const FEW_MS = 120_000;

describe("countersign conformance", () => {
  it("PUB-1 PUB-2 PUB-3 PUB-4 PUB-5 PUB-6 --self: every case passes against the real gateway", {
    timeout: WHOLE_RUN_MS,
  }, async () => {
    const ran = await command("--self", "--json");
    const report = conformanceReport.parse(JSON.parse(ran.out));
    expect(report.cases.filter((c) => c.result !== "passed")).toEqual([]);
    expect(report.cases.map((c) => c.id)).toEqual(CASES.map((c) => c.id));
    expect(report).toMatchObject({ passed: true, totals: { passed: CASES.length } });
    expect(report.notice).toContain("not a certificate");
    expect(ran.code).toBe(0);
  });

  it("for people ends with one line, and lists its cases", { timeout: FEW_MS }, async () => {
    const ran = await command("--self", "--only", "REQ-7");
    expect(ran.out).toContain("not a certificate");
    expect(ran.out.trimEnd().split("\n").at(-1)).toBe("PASSED: 1 passed, 0 failed.");
    const listed = await command("--list");
    expect(listed.out.trimEnd().split("\n")).toHaveLength(CASES.length);
  });

  it("refuses words it does not know, and a driver that is none", { timeout: FEW_MS }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-driver-"));
    try {
      const module = join(folder, "driver.mjs");
      writeFileSync(module, "export const driver = { close() {} };\n");
      const origins = ["--gateway", "http://localhost:1", "--shop-control", "http://localhost:2"];
      expect(await command("--self", "--only", "PUB-99")).toMatchObject({ code: 2, out: "" });
      expect(await command("--gateway", "localhost")).toMatchObject({ code: 2 });
      expect(await command(...origins, "--holder", module)).toMatchObject({ code: 2 });
      writeFileSync(
        join(folder, "good.mjs"),
        "export const driver = { open() { throw new Error('no people here'); } };\n",
      );
      const ran = await command(...origins, "--holder", join(folder, "good.mjs"));
      expect(ran.code).toBe(1);
      expect(ran.err).toContain("no people here");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function command(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, "conformance", ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (part: Buffer) => {
      out += part.toString("utf8");
    });
    child.stderr.on("data", (part: Buffer) => {
      err += part.toString("utf8");
    });
    child.once("close", (code) => resolve({ code: code ?? -1, out, err }));
  });
}

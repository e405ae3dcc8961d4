import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseRecording, skeletonFiles } from "@countersign/adapter-kit";
import { isPlugin } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlugins } from "../packages/countersign/src/plugins/load.ts";
import { pluginsSchema } from "../packages/countersign/src/plugins/settings.ts";

// docs/add-a-site.md as its reader runs it: its own lines in one folder, one after the other.

const WALK_MS = 300_000;
const COMMAND = fileURLToPath(new URL("../packages/countersign/bin/countersign.mjs", import.meta.url));
const text = readFileSync(fileURLToPath(new URL("../docs/add-a-site.md", import.meta.url)), "utf8");
const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", body = ""]) => ({ kind, body }));

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-add-a-site-"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "countersign"), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  chmodSync(join(bin, "countersign"), 0o755);
  env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, NODE_OPTIONS: "" };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function shell(script: string): Promise<{ readonly code: number; readonly out: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)("bash", ["-ec", script], { cwd: folder, env });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

describe("MAP-6 somebody adds a site", () => {
  it("every line of the walk-through runs, and says what it says there", { timeout: WALK_MS }, async () => {
    let said = "";
    for (const { kind, body } of blocks) {
      if (kind === "sh") {
        const { code, out } = await shell(body);
        expect(code, `${body}\n${out}`).toBe(0);
        said = out;
      }
      if (kind === "text") for (const line of body.trimEnd().split("\n")) expect(said).toContain(line);
    }
  });

  it("what is written there is loaded by a gateway's settings as they stand there", async () => {
    const settings = JSON.parse(blocks.filter(({ kind }) => kind === "json")[1]?.body ?? "{}") as { plugins: unknown };
    const loaded = await loadPlugins(pluginsSchema.parse(settings.plugins), { settingsFolder: folder });
    assert(loaded.ok, loaded.ok ? "" : loaded.reason);
    expect(loaded.value.plugins.every(isPlugin)).toBe(true);
  });

  it("its pieces of code are the skeleton's own, and its recording is one", () => {
    const files = [...skeletonFiles("my-power").values()].join("\n");
    for (const { kind, body } of blocks) if (kind === "ts") expect(files).toContain(body);
    expect(parseRecording(blocks.find(({ kind }) => kind === "json")?.body ?? "")).toMatchObject({ ok: true });
  });

  it("an operation that the check does not name is no operation to try", { timeout: WALK_MS }, async () => {
    expect((await shell("countersign adapter check my-power --only retail.order.submit")).code).toBe(2);
  });
});

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const EXAMPLE_MS = 180_000;
const LINES_MAX = 75;
const path = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

describe.each([
  ["agent-http", ["There are ", "approval_required", "Ordered: ", "Receipt rcp_"]],
  ["agent-mcp", ["There are ", "approval_required", "Ordered: ", "Receipt rcp_"]],
  ["agent-a2a", ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_COMPLETED", "result: ", "receipt: "]],
] as const)("PLG-11 the example %s", (name, said) => {
  it("buys one lamp with the account holder's yes, in one process, and ends with 0", {
    timeout: EXAMPLE_MS,
  }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [path(`${name}/run.ts`)]);
    for (const part of [...said, "lets the agent do it", "approves exactly that", "has taken 1 order."])
      expect(stdout).toContain(part);
    expect(stdout).not.toMatch(/ey[\w-]+\.ey[\w-]+\.[\w-]+.*refresh|Bearer /);
  });

  it("can be read in one go", () => {
    expect(readFileSync(path(`${name}/agent.ts`), "utf8").split("\n").length).toBeLessThan(LINES_MAX);
  });
});

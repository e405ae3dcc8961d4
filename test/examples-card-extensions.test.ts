import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const EXAMPLE_MS = 180_000;
const path = fileURLToPath(new URL("../examples/card-extensions/run.ts", import.meta.url));
const GIFT_WRAP = "https://wrapping.example/extensions/gift-wrap/v1";

it("PLG-11 PLG-6 EX-03 an extension stands on the card while its plugin does, and an agent that requires one is not called without it", {
  timeout: EXAMPLE_MS,
}, async () => {
  // It judges what it sees itself, and ends with 1 where anything is otherwise.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path]);
  expect(stderr).toBe("");
  const [, alone = "", extended = "", again = ""] = stdout.split(/^\d\. /m);
  for (const part of [alone, extended, again]) expect(part).toContain("     urn:countersign:a2a:orchestration:1\n");
  expect(alone).toContain(`requires an extension that is not spoken here (${GIFT_WRAP})`);
  expect(alone).toContain("     GET /.well-known/agent-card.json\n");
  expect(alone).not.toContain("POST ");
  expect(extended).toContain(`     POST /a2a   A2A-Extensions: ${GIFT_WRAP}\n`);
  expect(extended).toContain("Connected.");
  expect(again).toMatch(/-> {3}200, A2A-Extensions: $/m);
  expect(stdout).not.toMatch(/ey[\w-]+\.ey[\w-]+\.|Bearer /);
});

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseJson } from "@countersign/wire";
import { expect, it } from "vitest";
import { freePort } from "./support/world.ts";

const MAIN = fileURLToPath(new URL("../packages/countersign/src/main.ts", import.meta.url));
const DEMO_MS = 240_000;

it(
  "the README's first command: a purchase end to end, with the person's part played in a real browser",
  async () => {
    const args = [MAIN, "demo", "--yes", "--json", "--port", String(await freePort())];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 4 * 1024 * 1024 });
    const report = parseJson(stdout, { maxBytes: 4 * 1024 * 1024 });
    expect(report).toMatchObject({
      ok: true,
      value: { tasks: [{ state: "succeeded" }, { state: "succeeded" }], shop: { submits: 1, orders: 1 } },
    });
  },
  DEMO_MS,
);

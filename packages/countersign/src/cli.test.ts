import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import corpus from "@countersign/profile/deceptive-texts" with { type: "json" };
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { print, printJson, readArgs, say } from "./cli.ts";

const SRC = fileURLToPath(new URL(".", import.meta.url));
/** Whatever moves a cursor, hides or reorders; what only looks like something else is for each text's own renderer. */
const HARMFUL = /[^\P{C}\n]|[\u2028\u2029\u00a0\u2800\u3000\u115f\u3164]/u;

afterEach(() => vi.restoreAllMocks());

function said(work: () => void): string {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => written.push(String(text)) > 0);
  work();
  vi.restoreAllMocks();
  return written.join("");
}

describe("REC-4 the words of a command", () => {
  const options = { pin: { type: "string" }, issuer: { type: "string" }, json: { type: "boolean" } } as const;
  const read = (...args: readonly string[]) => readArgs(args, options);

  it.each(["-4x_Ab", "--4x_Ab", "-", "--", "-h4"])("a pin may begin with a dash: %s", (pin) => {
    expect(read("file", "--pin", pin, "--issuer", "https://x.example")).toMatchObject({
      ok: true,
      value: { values: { pin, issuer: "https://x.example" }, positionals: ["file"] },
    });
  });

  it.each([[["--pin", "--issuer", "x"]], [["--pin", "--json"]], [["--pin", "-h"]], [["--pin"]]])(
    "an option without its value is refused: %j",
    (args) => expect(read(...args).ok).toBe(false),
  );

  it("every value of base64url is read as itself", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const pin = Buffer.from(bytes).toString("base64url");
        expect(read("--pin", pin)).toMatchObject({ ok: true, value: { values: { pin } } });
      }),
    );
  });
});

describe("U33 what a command says", () => {
  it.each(corpus.texts)("$id: nothing in it can move the cursor, hide or reorder", ({ text }) => {
    expect(said(() => say(`order ${text}`))).not.toMatch(HARMFUL);
    expect(said(() => print(`order ${text}`))).not.toMatch(HARMFUL);
    const json = said(() => printJson({ text, list: [text] }));
    expect(json).not.toMatch(HARMFUL);
    expect(JSON.parse(json)).toEqual({ text, list: [text] });
  });

  it("there is no other way out: no command writes to the terminal by itself", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "cli.ts",
    );
    expect(files.length).toBeGreaterThan(10);
    const elsewhere = files.filter((file) =>
      /process\.(stdout|stderr)\.write|console\.(log|error|warn|info)/.test(readFileSync(join(SRC, file), "utf8")),
    );
    // The one who plays the person in the demonstration runs in a process of its own and says one line of ours.
    expect(elsewhere).toEqual(["demo/person.ts"]);
  });
});

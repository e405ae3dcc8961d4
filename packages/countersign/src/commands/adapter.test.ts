import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { adapterCommand } from "./adapter.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "countersign-adapter-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

async function call(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const code = await adapterCommand.run(args);
  vi.restoreAllMocks();
  return { code, said: written.join("") };
}

describe("countersign adapter", () => {
  it("new writes a skeleton under its own name, once", async () => {
    expect(await call("new", "my-shop", "--dir", dir)).toMatchObject({ code: 0 });
    const files = readdirSync(join(dir, "my-shop"), { recursive: true, encoding: "utf8" }).sort();
    expect(files).toContain(join("test", "adapter.test.ts"));
    const all = files
      .filter((file) => /\.\w+$/.test(file))
      .map((file) => readFileSync(join(dir, "my-shop", file), "utf8"));
    expect(all.join("\n")).not.toMatch(/example-power|examplePower|Example Power/);
    expect(all.join("\n")).toContain("export const myShop: Site");
    const again = await call("new", "my-shop", "--dir", dir);
    expect(again).toMatchObject({ code: 1 });
    expect(again.said).toContain("is there already");
  });

  it("check says where a file is wrong, and which operations there are", async () => {
    const broken = join(dir, "broken.mjs");
    writeFileSync(broken, "export const one = 1;\nnowhere.to.be.found();\n");
    expect((await call("check", broken)).said).toContain(`${broken}:2`);
    const none = join(dir, "none.mjs");
    const check = '{ site: { entries: [] }, route: "http", open() {}, operations: [{ operation: "a.b" }] }';
    writeFileSync(none, `export const check = ${check};\n`);
    expect((await call("check", none, "--only", "c.d")).said).toMatch(/no operation "c.d"; it has a.b/);
  });

  it.each<[string, number, readonly string[]]>([
    ["nothing", 2, []],
    ["no adapter", 2, ["check"]],
    ["two adapters", 2, ["check", "a", "b"]],
    ["an unknown word", 2, ["mend", "a"]],
    ["an option of another word", 2, ["new", "a", "--json"]],
    ["an unknown option", 2, ["check", "a", "--fix"]],
    ["a name that leads elsewhere", 2, ["new", "../a"]],
    ["a name in capitals", 2, ["new", "Shop"]],
    ["a path where nothing is", 1, ["check", "nowhere"]],
    ["a folder without tests", 1, ["test", tmpdir()]],
    ["a folder without a check", 1, ["check", tmpdir()]],
  ])("%s ends with %i", async (_, code, args) => {
    const ended = await call(...args);
    expect(ended.code).toBe(code);
    expect(ended.said).toMatch(/countersign adapter/);
  });
});

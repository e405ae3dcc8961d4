import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApplicationFile } from "./read.ts";
import { readYaml } from "./yaml.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/listing/application.yaml", import.meta.url));
const CANARY = "canary-value-that-nobody-may-read";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "countersign-app-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

describe("PLG-5 an application file", () => {
  it("PLG-5 in YAML, in JSON and as a module is the same application", async () => {
    const yaml = await readApplicationFile(EXAMPLE);
    expect(yaml).toMatchObject({ ok: true, value: { name: "Weekly errands" } });
    const text = JSON.stringify(yaml.ok ? yaml.value : {});
    expect(await readApplicationFile(file("app.json", text))).toEqual(yaml);
    expect(await readApplicationFile(file("app.mjs", `export const application = ${text};`))).toEqual(yaml);
    expect(await readApplicationFile(file("app.ts", `export const application: object = ${text};`))).toEqual(yaml);
  });

  it.each<[string, string, string]>([
    ["missing.yaml", "", "there is no file"],
    ["app.toml", "name = 1", "ends with .yaml"],
    ["big.yaml", `name: ${"x".repeat(300_000)}`, "larger than"],
    ["none.mjs", "export const other = 1;", "no export const application"],
    ["broken.mjs", `throw new RangeError("${CANARY}");`, "could not be loaded (RangeError)"],
    ["list.yaml", "- a", "expected object"],
    [
      "secret.yaml",
      `name: x\nmcp:\n  connections:\n    - name: a\n      url: https://a.example\n      token: ${CANARY}`,
      "mcp.connections[0]",
    ],
    [
      "params.yaml",
      `name: x\na2a:\n  extensions:\n    - uri: urn:example:a\n      description: d\n      params: {deep: [{api-key: ${CANARY}}]}`,
      "a2a.extensions[0].params.deep[0].api-key: looks like a credential",
    ],
    ["twice.yaml", `name: ${CANARY}\nname: ${CANARY}`, "line 2: the same member twice"],
  ])("PLG-5 %s is refused in a sentence that names the place and never the value", async (name, text, sentence) => {
    const read = await readApplicationFile(text === "" ? join(dir, name) : file(name, text));
    expect(!read.ok && read.reason).toContain(sentence);
    expect(JSON.stringify(read)).not.toContain(CANARY);
  });
});

describe("PLG-5 YAML is read strictly", () => {
  it.each<[string, string, string]>([
    ["a member twice", "a: 1\nb: 2\na: 3", "line 3: the same member twice"],
    ["a tag", "a: !!js/function 'x'", "line 1: tags are not read here"],
    ["another tag", "a: 1\nb: !secret x", "line 2: tags are not read here"],
    ["an alias", "a: &x 1\nb: *x", "line 1: anchors and aliases"],
    ["an anchor alone", "a: 1\nb: &x 2", "line 2: anchors and aliases"],
    ["a bomb", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]", "line 1: anchors and aliases"],
    ["a second document", "a: 1\n---\nb: 2", "a second document"],
    ["a tab", "a:\n\tb: 1", "line 2: a tab"],
    ["half a list", "a: [1,", "line 1: this is not YAML"],
    ["a list as a name", "? [a]\n: 1", "line 1: a member's name is text"],
  ])("%s is refused", (_title, text, sentence) => {
    const read = readYaml(text);
    expect(!read.ok && read.reason).toContain(sentence);
  });

  it("words of older versions are text, and nothing becomes a date or is merged in", () => {
    expect(readYaml("a: yes\nb: 2026-01-01\nc: 012\n<<: {d: 1}")).toEqual({
      ok: true,
      value: { a: "yes", b: "2026-01-01", c: 12, "<<": { d: 1 } },
    });
  });
});

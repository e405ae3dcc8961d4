import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlugins } from "./load.ts";
import { pluginsSchema } from "./settings.ts";

const EXAMPLES = fileURLToPath(new URL("../../../../examples/", import.meta.url));
const CANARY = "canary-value-that-nobody-may-read";

let dir: string;
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "countersign-plugins-")));
  mkdirSync(join(dir, "in"));
  mkdirSync(join(dir, "in", "empty"));
  mkdirSync(join(dir, "in", "nowhere"));
  mkdirSync(join(dir, "in", "away"));
  writeFileSync(join(dir, "in", "nowhere", "package.json"), '{"exports": "./missing.js"}');
  writeFileSync(join(dir, "in", "away", "package.json"), '{"exports": "../../outside.mjs"}');
  writeFileSync(join(dir, "outside.mjs"), `globalThis.countersignTestRan = true; export const plugin = {};`);
  symlinkSync(join(dir, "outside.mjs"), join(dir, "in", "link.mjs"));
  writeFileSync(join(dir, "in", "none.mjs"), "export const other = 1;");
  writeFileSync(
    join(dir, "in", "forged.mjs"),
    `export const plugin = {manifest: {id: "protocol.x"}, contribute() {}};`,
  );
  writeFileSync(join(dir, "in", "throws.mjs"), `throw new RangeError("${CANARY}");`);
  writeFileSync(join(dir, "in", "lacks.mjs"), `import "not-installed-anywhere"; export const plugin = 1;`);
  writeFileSync(join(dir, "in", "data.json"), "{}");
  writeFileSync(join(dir, "in", "open.mjs"), `globalThis.countersignTestRan = true; export const plugin = {};`);
  chmodSync(join(dir, "in", "open.mjs"), 0o666);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const load = (one: object, folder = "in") =>
  loadPlugins(pluginsSchema.parse({ folder, load: [one] }), { settingsFolder: dir });

describe("PLG-5 plugins of others", () => {
  it("PLG-5 a folder below the configured one gives its plugin, which nobody trusts unless the host says so", async () => {
    const plain = await loadPlugins(pluginsSchema.parse({ folder: EXAMPLES, load: [{ path: "sample-plugin" }] }), {
      settingsFolder: dir,
    });
    expect(plain).toMatchObject({
      ok: true,
      value: { plugins: [{ manifest: { id: "protocol.lending" } }], trusted: [] },
    });
    const setting = { folder: EXAMPLES, load: [{ path: "sample-plugin/src/index.ts", trusted: true }] };
    const trusted = await loadPlugins(pluginsSchema.parse(setting), { settingsFolder: dir });
    expect(trusted).toMatchObject({ ok: true, value: { trusted: ["protocol.lending"] } });
  });

  it("PLG-5 nothing is loaded that is not named", async () => {
    expect(await loadPlugins(pluginsSchema.parse({ folder: EXAMPLES }), { settingsFolder: dir })).toEqual({
      ok: true,
      value: { plugins: [], trusted: [] },
    });
  });

  it.each<[object, string]>([
    [{ path: "not-there" }, "there is nothing of that name"],
    [{ path: "empty" }, "no package.json"],
    [{ path: "nowhere" }, "names a file that is not there"],
    [{ path: "away" }, "leads out of the plugins folder"],
    [{ path: "link.mjs" }, "leads out of the plugins folder"],
    [{ path: "data.json" }, "a plugin is a module"],
    [{ path: "open.mjs" }, "everybody on this machine can write there"],
    [{ path: "none.mjs" }, "exports no plugin"],
    [{ path: "forged.mjs" }, "not made by definePlugin"],
    [{ path: "throws.mjs" }, "could not be loaded (RangeError)"],
    [{ path: "lacks.mjs" }, "a module that is not installed"],
    [{ package: "countersign-plugin-that-is-not-installed" }, "no package of that name"],
    [{ package: "fs" }, "a module of Node itself"],
    [{ package: "pino" }, "exports no plugin"],
  ])("PLG-5 %j is refused with what to do, and without the text of an error of theirs", async (setting, sentence) => {
    const loaded = await load(setting);
    expect(!loaded.ok && loaded.reason).toContain(sentence);
    expect(JSON.stringify(loaded)).not.toContain(CANARY);
    expect("countersignTestRan" in globalThis).toBe(false);
  });

  it("PLG-5 a folder that is not there is said to be so", async () => {
    const loaded = await load({ path: "x" }, "elsewhere");
    expect(!loaded.ok && loaded.reason).toBe(`plugins: x: there is no plugins folder ${join(dir, "elsewhere")}`);
  });

  it.each([
    { load: [{ package: "https://evil.example/plugin.js" }] },
    { load: [{ package: "file:///tmp/x.js" }] },
    { load: [{ package: "node:fs" }] },
    { load: [{ package: "data:text/javascript,1" }] },
    { load: [{ package: "some-plugin@1.0.0" }] },
    { load: [{ package: "some-plugin/inside.js" }] },
    { load: [{ package: "./some-plugin" }] },
    { load: [{ package: "*" }] },
    { load: [{ path: "sample-plugin" }] },
    { folder: "x", load: [{ path: "../sample-plugin" }] },
    { folder: "x", load: [{ path: "a/../../b" }] },
    { folder: "x", load: [{ path: "/etc/passwd" }] },
    { folder: "x", load: [{ path: "https://evil.example/x.js" }] },
    { folder: "x", load: [{ path: "." }] },
    { folder: "x", load: [{ path: "a\\..\\b" }] },
    { folder: "x", load: [{ path: "*" }] },
    { folder: "x", load: ["sample-plugin"] },
    { folder: "x", load: [{ path: "a", package: "b" }] },
    { folder: "x", load: [{ path: "a", trusted: false }] },
    { folder: "x", scan: true },
  ])("PLG-5 the setting %j is refused", (setting) => {
    expect(pluginsSchema.safeParse(setting).success).toBe(false);
  });
});

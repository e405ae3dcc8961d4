import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { a2aPluginWith, otherExtensionPoint } from "@countersign/a2a";
import { fromKernel } from "@countersign/gateway";
import { buildProtocols, definePlugin, gatewayPlugin } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "./support/world.ts";

const MAIN = fileURLToPath(new URL("../packages/countersign/src/main.ts", import.meta.url));
const CANARY = "canary-value-that-nobody-may-read";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "countersign-listing-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, value: object): string {
  const path = join(dir, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

function countersign(...args: readonly string[]) {
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args, "--data", dir], { stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part: Buffer) => {
      out += part.toString("utf8");
    });
    child.stderr.on("data", (part: Buffer) => {
      err += part.toString("utf8");
    });
    child.once("exit", (code) => resolve({ code, out, err }));
  });
}

describe("PLG-5 countersign protocols", () => {
  it("PLG-5 what an application uses and nobody here speaks is said, and ends with 1", async () => {
    const app = file("pap.json", { name: "Errands", pap: { companies: ["lindenhof.example"] } });
    const ran = await countersign("protocols", app);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(
      "Not spoken here: Personal Agent Protocol (pap). It is a personal agent at lindenhof.example.",
    );
    expect(ran.out).not.toMatch(/^\*/m);
    const json = await countersign("protocols", app, "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ application: "Errands", missing: [{ id: "pap" }] });
  });

  it("PLG-5 a file that is refused is told by its place, and nothing of its values is printed", async () => {
    const app = file("bad.json", {
      name: "x",
      mcp: { connections: [{ name: "a", url: "https://a.example", key: CANARY }] },
    });
    const ran = await countersign("protocols", app);
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toContain("mcp.connections[0]");
    expect(ran.err).not.toContain(CANARY);
    expect((await countersign("protocols", app, app)).code).toBe(2);
  });

  it("PLG-5 a plugin that may not be loaded ends the list and the start in the same sentence", async () => {
    const config = file("url.json", { plugins: { load: [{ package: "https://evil.example/plugin.js" }] } });
    const away = file("away.json", { plugins: { load: [{ package: "countersign-plugin-nobody-has" }] } });
    for (const command of [["protocols"], ["start", "--port", "1", "--sandbox", "off"]]) {
      const refused = await countersign(...command, "--config", config);
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringMatching(/plugins\.load\.0.*: the exact name of an installed package/),
      ]);
      const missing = await countersign(...command, "--config", away);
      expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("npm install with its name")]);
    }
  });
});

describe("PLG-6 the card", () => {
  const GIFTS = "https://ext.example/gifts/v1";
  const gifts = { uri: GIFTS, description: "Gifts", required: false };
  const other = definePlugin({
    manifest: { id: "test.gifts", version: "1", title: "Gifts", opens: [], uses: [otherExtensionPoint] },
    contribute: (put) => put(otherExtensionPoint, { id: "gifts", key: GIFTS, order: 10, value: gifts }),
  });

  it("PLG-6 a gateway does not start whose plugin and whose application publish the same extension, however spelt", async () => {
    for (const uri of [GIFTS, "HTTPS://EXT.example:443/gifts/./v1"]) {
      const published = [{ ...gifts, uri }];
      const built = buildProtocols([gatewayPlugin, a2aPluginWith({ published }), other]);
      assert(built.ok, "the plugins make a set");
      const { bindings = [], http = [] } = fromKernel(built.kernel);
      await expect(openWorld({ bindings, http })).rejects.toThrow("stands on the card twice");
    }
  });
});

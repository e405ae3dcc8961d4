import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "vite";
import { expect, it } from "vitest";
import vector from "../../fixtures/evidence.json" with { type: "json" };

const ENTRY = `
  import { verifyBundle } from "@countersign/profile";
  globalThis.verdict = async (text, options) => verifyBundle(text, options);
`;

it("APR-7 the verifier is one function of a web page: bundled for a browser, with WebCrypto alone", async () => {
  const out = mkdtempSync(join(tmpdir(), "countersign-verifier-"));
  try {
    const name = "virtual:verifier";
    await build({
      configFile: false,
      logLevel: "silent",
      root: import.meta.dirname,
      plugins: [
        {
          name: "verifier",
          resolveId: (id) => (id === name ? `\0${name}` : undefined),
          load: (id) => (id === `\0${name}` ? ENTRY : undefined),
        },
      ],
      build: {
        outDir: out,
        emptyOutDir: true,
        minify: false,
        rollupOptions: { input: name, output: { format: "iife", entryFileNames: "verifier.js" } },
      },
    });
    const code = readFileSync(join(out, "verifier.js"), "utf8");
    for (const module of builtinModules)
      expect(code).not.toMatch(new RegExp(`(require\\(|from )["'](node:)?${module.replace("/", "\\/")}["']`));
    expect(code).not.toContain("__vite-browser-external");
    // A page's world and nothing of Node's: no process, no Buffer, no require, and no code made from text.
    const page: Record<string, unknown> = { crypto, TextEncoder, TextDecoder, URL };
    runInNewContext(code, page, { contextCodeGeneration: { strings: false, wasm: false } });
    const verdict = page["verdict"] as (text: string, options: object) => Promise<unknown>;
    const trust = { pin: vector.pin, issuer: vector.issuer };
    expect(await verdict(JSON.stringify(vector.bundle), trust)).toMatchObject({ ok: true, value: { level: "L3" } });
    const changed = JSON.stringify({ ...vector.bundle, receipt: vector.bundle.approval });
    expect(await verdict(changed, trust)).toMatchObject({ ok: false, reason: { code: "wrong_kind" } });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

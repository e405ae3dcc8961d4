import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { openBrowserExample } from "../../../examples/web-bot-auth/browser/site.ts";
import { VECTORS } from "./support/vectors.ts";

const CHROMIUM = [process.env["CHROMIUM_PATH"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  existsSync,
);

/** The page's own code: what it is given comes from the fixture, and what it answers is compared outside. */
const ENTRY = `
  import {
    createVerifier, importSigningKey, mayActOn, readPublicKey, secret, signingKeyOf, signRequest, httpRequestOf,
  } from "@countersign/web-bot-auth";
  import { readCandidate, parseSignatures, signMessage } from "@countersign/web-bot-auth/signatures";

  const lines = (headers) => Object.entries(headers);

  globalThis.vectors = async ({ keys, vectors }) => {
    const key = await importSigningKey(secret(keys.ed25519.jwkPrivate));
    const published = await Promise.all([keys.ed25519, keys["rsa-pss"]].map((k) => readPublicKey(k.jwkPublic)));
    const answers = {};
    for (const v of vectors) {
      const request = { method: v.request.method, url: v.request.url, headers: lines(v.request.headers), body: new Uint8Array() };
      const message = v.response ? { status: 200, headers: lines(v.response.headers), request } : request;
      if (v.byteForByteReproducible) {
        const input = parseSignatures(v.signatureInput, v.signature).value.inputs.get(v.label);
        const { components } = readCandidate(v.label, input, "response").value;
        const signed = await signMessage(message, { label: v.label, components, parameters: v.signatureParameters, signer: key.value });
        answers[v.id + " signed"] = signed.value;
      }
      if (v.response) continue;
      const verifier = createVerifier({
        keys: { find: async (place, keyId) => {
          const found = published.find((k) => k.value.keyId === keyId);
          return found ? { kind: "found", key: found.value, age: "fresh" } : { kind: "absent" };
        } },
        legacyString: "read", testKeys: "trusted", windowMaxS: 1e10,
        now: () => (v.expect.verifyAt ?? 1800000000) * 1000,
      });
      answers[v.id + " verified"] = (await verifier.verify(request)).outcome;
    }
    return answers;
  };

  // A page with a key that it can use and never read signs a request of its own.
  globalThis.ownKey = async () => {
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    const key = (await signingKeyOf(pair)).value;
    const body = JSON.stringify({ sku: "tea" });
    const request = new Request("https://shop.example/orders", { method: "POST", body, headers: { "content-type": "application/json" } });
    const signed = (await signRequest(request, { key, agent: { type: "directory", origin: "https://page.test" } })).value;
    const known = (await readPublicKey({ ...key.publicJwk })).value;
    const verifier = createVerifier({ keys: { find: async () => ({ kind: "found", key: known, age: "fresh" }) } });
    const of = httpRequestOf(signed, new TextEncoder().encode(body));
    const { results } = await verifier.verify(of);
    const changed = await verifier.verify({ ...of, url: "https://shop.example/other" });
    return { results, may: mayActOn(results[0]), changed: changed.results, printed: JSON.stringify(key) };
  };
`;

async function bundle(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "web-bot-auth-"));
  try {
    const name = "virtual:page";
    await build({
      configFile: false,
      logLevel: "silent",
      root: import.meta.dirname,
      plugins: [
        {
          name: "page",
          resolveId: (id) => (id === name ? `\0${name}` : undefined),
          load: (id) => (id === `\0${name}` ? ENTRY : undefined),
        },
      ],
      build: {
        outDir: out,
        emptyOutDir: true,
        minify: false,
        rollupOptions: { input: name, output: { format: "iife", entryFileNames: "page.js" } },
      },
    });
    return readFileSync(join(out, "page.js"), "utf8");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

describe.skipIf(CHROMIUM === undefined)("PLG-7 in a browser, by WebCrypto alone", () => {
  it("EX-10 signs the draft's vectors byte for byte and verifies them; a page's own key signs and cannot be read", async () => {
    const code = await bundle();
    for (const module of builtinModules)
      expect(code).not.toMatch(new RegExp(`(require\\(|from )["'](node:)?${module.replace("/", "\\/")}["']`));
    expect(code).not.toContain("__vite-browser-external");
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      // WebCrypto needs a secure context; nothing leaves this machine.
      await page.route("**/*", (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html><title>page" }),
      );
      await page.goto("https://page.test/");
      await page.addScriptTag({ content: code });
      const answers = await page.evaluate(
        (given) => (globalThis as unknown as { vectors(v: unknown): Promise<unknown> }).vectors(given),
        VECTORS as unknown,
      );
      const expected = VECTORS.vectors.flatMap((v) => [
        ...(v.byteForByteReproducible
          ? [[`${v.id} signed`, { signatureInput: v.signatureInput, signature: v.signature }] as const]
          : []),
        ...(v.response === undefined ? [[`${v.id} verified`, "verified"] as const] : []),
      ]);
      expect(answers).toEqual(Object.fromEntries(expected));
      const own = await page.evaluate(() => (globalThis as unknown as { ownKey(): Promise<unknown> }).ownKey());
      expect(own).toMatchObject({
        results: [{ outcome: "verified", body: "covered" }],
        may: { ok: true },
        changed: [{ outcome: "invalid", reason: "bad_signature" }],
      });
      expect((own as { readonly printed: string }).printed).not.toContain('"d"');
      await showsTheExample(browser);
    } finally {
      await browser.close();
    }
  });
});

/** EX-10: the page of the example, as a person sees it, with a shop that lets nobody in unsigned. */
async function showsTheExample(browser: Browser): Promise<void> {
  const example = await openBrowserExample();
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (said) => void (/Content Security Policy/.test(said.text()) && complaints.push(said.text())));
  try {
    await page.goto(example.url);
    await page.getByText("That was all.").waitFor();
    const steps = page.locator("#steps li");
    const codes = () => steps.evaluateAll((all) => all.map((one) => one.dataset["code"]).join());
    expect(await codes()).toBe("401,200,401,201,401");
    const directory = `${example.url}.well-known/http-message-signatures-directory`;
    expect(await steps.nth(1).textContent()).toContain(`Tea, 4.20. You are ${directory}`);
    expect(await steps.nth(3).textContent()).toContain("content-digest: sha-256=:");
    expect(await page.locator("#private").textContent()).toBe("refused by the browser");
    expect(await page.content()).not.toContain('"d"');
    // The browser keeps the key: the shop, which has read the directory, goes on knowing it.
    const key = await page.locator("#key").textContent();
    await page.reload();
    await page.getByText("That was all.").waitFor();
    expect([await codes(), await page.locator("#key").textContent()]).toEqual(["401,200,401,201,401", key]);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await example.close();
  }
}

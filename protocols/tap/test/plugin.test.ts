import { readFileSync } from "node:fs";
import {
  type AnyPoint,
  build,
  checkPlugin,
  corePlugin,
  definePlugin,
  gatewayPlugin,
  identityPoint,
  type PluginCtx,
  type PointsFile,
  PROTOCOL_CATALOGUE,
} from "@countersign/plugin";
import { configuredKeys, createTapVerifier } from "@countersign/tap";
import { keySourcePoint, signerPoint, TAP, tap, tapPlugin } from "@countersign/tap/plugin";
import { generateSigningKey, httpRequestOf, type SigningKey } from "@countersign/web-bot-auth";
import { webBotAuthPlugin } from "@countersign/web-bot-auth/plugin";
import { assert, type Instant } from "@countersign/wire";
import { expect, it } from "vitest";

const points = JSON.parse(readFileSync(new URL("../points.json", import.meta.url), "utf8")) as PointsFile;
const NOW_MS = 1_796_040_000_000;
const ctx = { now: () => NOW_MS as Instant, log: { warn() {} } } as unknown as PluginCtx;

it("PLG-4 the plugin is what its points file says", () => {
  const broken = checkPlugin({
    plugin: tapPlugin,
    points,
    exported: [signerPoint, keySourcePoint],
    sample: (point: AnyPoint) =>
      point === signerPoint
        ? { current: () => Promise.reject(new Error("none")) }
        : { name: "sample", find: async () => ({ kind: "absent" }) },
    others: [gatewayPlugin, webBotAuthPlugin],
    catalogue: PROTOCOL_CATALOGUE,
  });
  expect(broken).toEqual([]);
});

function signerOf(key: SigningKey) {
  const host = definePlugin({
    manifest: { id: "host.keys", version: "1", title: "Keys", opens: [], uses: [signerPoint] },
    contribute: (put) => put(signerPoint, { id: "key", order: 10, value: { current: async () => key } }),
  });
  const plugin = tap({ merchants: ["https://merchant.example"] });
  const trusted = [TAP, "host.keys", webBotAuthPlugin.manifest.id];
  const built = build([corePlugin, gatewayPlugin, webBotAuthPlugin, plugin, host], { trusted });
  assert(built.ok, "it builds");
  return built.kernel.scope(gatewayPlugin.manifest.id).get(identityPoint).get(TAP);
}

it("PLG-7 browsing is told to the merchants that are named, and to nobody else; nothing that pays is signed here", async () => {
  const { key } = await generateSigningKey();
  const signer = signerOf(key);
  const isSigned = async (url: string, init: RequestInit = {}) =>
    (await signer?.sign(ctx, new Request(url, init)))?.headers.has("signature");
  expect(await isSigned("https://merchant.example/products/42?color=blue")).toBe(true);
  expect(await isSigned("https://other.example/")).toBe(false);
  expect(await isSigned("https://merchant.example/checkout", { method: "POST", body: "{}" })).toBe(false);
  const signed = await signer?.sign(ctx, new Request("https://merchant.example/products/42"));
  assert(signed !== undefined, "it is signed");
  const verifier = createTapVerifier({
    sources: [await configuredKeys("own", { keys: [{ ...key.publicJwk }] })],
    now: () => NOW_MS,
  });
  expect(await verifier.verify(httpRequestOf(signed))).toMatchObject({ outcome: "verified", kind: "browsing" });
});

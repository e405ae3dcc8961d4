import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import {
  type AnyPoint,
  build,
  checkPlugin,
  corePlugin,
  gatewayPlugin,
  httpPoint,
  identityPoint,
  type Plugin,
  type PointsFile,
  PROTOCOL_CATALOGUE,
} from "@countersign/plugin";
import { createVerifier, memoryNonces, readKeySet } from "@countersign/web-bot-auth";
import {
  cimdExtensionPoint,
  directoryExtensionPoint,
  jwksUriExtensionPoint,
  nonceStorePoint,
  signerPoint,
  WEB_BOT_AUTH,
  type WebBotAuthSettings,
  webBotAuth,
  webBotAuthPlugin,
} from "@countersign/web-bot-auth/plugin";
import { assert } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { httpRequestOf } from "../src/signatures/message.ts";
import { pluginWorld } from "./support/plugin-ctx.ts";
import { published } from "./support/world.ts";

const points = JSON.parse(readFileSync(new URL("../points.json", import.meta.url), "utf8")) as PointsFile;
const AGENT = "https://gateway.example";
const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;

it("PLG-4 the plugin is what its points file says", () => {
  const samples: ReadonlyMap<AnyPoint, unknown> = new Map<AnyPoint, unknown>([
    [signerPoint, { current: () => Promise.reject(new Error("none")), listed: async () => [] }],
    [nonceStorePoint, () => memoryNonces()],
    [directoryExtensionPoint, { type: "directory", place: () => ({ kind: "ignored" }) }],
    [jwksUriExtensionPoint, { type: "jwks_uri", place: () => ({ kind: "ignored" }) }],
    [cimdExtensionPoint, { type: "cimd", place: () => ({ kind: "ignored" }) }],
  ]);
  const broken = checkPlugin({
    plugin: webBotAuthPlugin,
    points,
    exported: [signerPoint, nonceStorePoint, directoryExtensionPoint, jwksUriExtensionPoint, cimdExtensionPoint],
    sample: (point) => {
      const sample = samples.get(point);
      // A fresh one each time: what stands at a point is frozen with its set.
      return typeof sample === "object" && sample !== null ? { ...sample } : sample;
    },
    others: [gatewayPlugin],
    catalogue: PROTOCOL_CATALOGUE,
  });
  expect(broken).toEqual([]);
});

/** The set as the gateway builds it, and what it reads of it. */
function installed(settings: WebBotAuthSettings) {
  const { plugin, keys } = webBotAuth(settings);
  const built = build([corePlugin, gatewayPlugin, plugin], { trusted: [WEB_BOT_AUTH] });
  assert(built.ok, "it builds");
  const scope = built.kernel.scope(gatewayPlugin.manifest.id);
  return { keys, signers: scope.get(identityPoint), entries: scope.get(httpPoint) };
}

describe("PLG-7 in the gateway", () => {
  it("nothing is signed or published before somebody says where the keys are", () => {
    const { signers, entries } = installed({});
    expect([signers.size, entries.size]).toEqual([0, 0]);
  });

  it("what leaves is signed, and the directory at the agent's origin proves it", async () => {
    const here = pluginWorld();
    const { signers, entries } = installed({ agent: AGENT });
    const signer = signers.get(WEB_BOT_AUTH);
    const [entry] = entries.values();
    assert(signer !== undefined && entry !== undefined, "both stand");
    const request = new Request("https://shop.example/orders", { method: "POST", body: "{}" });
    const signed = await signer.sign(here.ctx, request);
    expect(await signed.clone().text()).toBe("{}");

    const answer = await entry.handler(new Request(DIRECTORY), here.ctx);
    const set = await readKeySet(new Uint8Array(await answer.arrayBuffer()), { kid: "thumbprint" });
    assert(set.ok, "the directory can be read");
    const verifier = createVerifier({ keys: published({ [DIRECTORY]: [...set.value.keys.values()] }), now: here.now });
    const body = new TextEncoder().encode("{}");
    expect((await verifier.verify(httpRequestOf(signed, body))).results).toEqual([
      expect.objectContaining({ outcome: "verified", identifier: DIRECTORY, body: "covered" }),
    ]);
  });

  it("a destination that is not to be told, and one over plain HTTP, get the request as it was", async () => {
    const here = pluginWorld();
    const { signers } = installed({ agent: AGENT, unsigned: ["https://quiet.example"] });
    for (const url of ["https://quiet.example/a", "http://plain.example/a"]) {
      const signed = await signers.get(WEB_BOT_AUTH)?.sign(here.ctx, new Request(url));
      expect([...(signed?.headers.keys() ?? ["?"])]).toEqual([]);
    }
    expect(here.logged).toEqual(["web_bot_auth.unsigned"]);
  });

  it("rotation: the new key is listed first, signs when everybody can know it, and nothing in between is refused", async () => {
    const here = pluginWorld();
    const { keys, signers, entries } = installed({ agent: AGENT });
    const signer = signers.get(WEB_BOT_AUTH);
    const [entry] = entries.values();
    assert(signer !== undefined && entry !== undefined, "both stand");
    const keyIdOf = async () => {
      const signed = await signer.sign(here.ctx, new Request("https://shop.example/"));
      return /keyid="([^"]*)"/.exec(signed.headers.get("signature-input") ?? "")?.[1];
    };
    const listed = async () => {
      const answer = await entry.handler(new Request(DIRECTORY), here.ctx);
      const { keys: all } = (await answer.json()) as { readonly keys: readonly { readonly kid: string }[] };
      return all.map(({ kid }) => kid);
    };
    const first = await keyIdOf();
    const answer = await keys.rotate(here.ctx);
    assert(answer.ok, "it is rotated");
    const second = answer.value.keyId;
    expect(await listed()).toEqual([first, second]);
    expect(await keyIdOf()).toBe(first);
    expect(await keys.rotate(here.ctx)).toEqual({ ok: false, reason: "under_way" });
    here.advance(3_600_000);
    expect(await keyIdOf()).toBe(second);
    // Signatures by the old key live up to 300 s, and clocks differ by 30.
    here.advance(329_999);
    expect(await listed()).toEqual([first, second]);
    here.advance(1);
    expect(await listed()).toEqual([second]);
  });

  it("a key that somebody else may have goes at once, out of the vault too", async () => {
    const here = pluginWorld();
    const { keys } = installed({ agent: AGENT });
    const before = await keys.current(here.ctx);
    const held = here.vaulted();
    const gone = await keys.withdraw(here.ctx, before.keyId);
    assert(gone.ok, "it is withdrawn");
    expect((await keys.current(here.ctx)).keyId).toBe(gone.value.keyId);
    expect((await keys.listed(here.ctx)).map(({ keyId }) => keyId)).toEqual([gone.value.keyId]);
    expect(here.vaulted().some((text) => held.includes(text))).toBe(false);
    expect(await keys.withdraw(here.ctx, "unknown")).toEqual({ ok: false, reason: "unknown_key" });
  });

  it("gateways that begin at once end with one key", async () => {
    const here = pluginWorld();
    const many = await Promise.all(
      Array.from({ length: 5 }, () => webBotAuth({ agent: AGENT }).keys.current(here.ctx)),
    );
    expect(new Set(many.map(({ keyId }) => keyId)).size).toBe(1);
    expect(here.vaulted()).toHaveLength(1);
  });

  it("N28 the nonce store of the gateway: over restarts, for all gateways that share it", async () => {
    const here = pluginWorld();
    const { plugin } = webBotAuth();
    const built = build([corePlugin, gatewayPlugin, plugin], { trusted: [WEB_BOT_AUTH] });
    assert(built.ok, "it builds");
    const factory = built.kernel.scope(WEB_BOT_AUTH).get(nonceStorePoint);
    assert(factory !== undefined, "a store stands");
    const use = { key: "k", identifier: "i", expiresAtMs: here.now() + 1000 };
    expect(await factory(here.ctx).record(use)).toBe("recorded");
    expect(await factory(here.ctx).record(use)).toBe("seen");
  });

  it("N38 the private half is in nothing that is kept in the open, served, printed, thrown or logged", async () => {
    const here = pluginWorld();
    const { keys, signers, entries } = installed({ agent: AGENT });
    const signer = signers.get(WEB_BOT_AUTH);
    const [entry] = entries.values();
    const signed = await signer?.sign(here.ctx, new Request("https://shop.example/"));
    const answer = await entry?.handler(new Request(DIRECTORY), here.ctx);
    const secrets = here.vaulted().map((text) => (JSON.parse(text) as { readonly d: string }).d);
    expect(secrets).toHaveLength(1);
    const current = await keys.current(here.ctx);
    const shown = [
      inspect([...(signed?.headers ?? [])]),
      await answer?.text(),
      inspect([...(answer?.headers ?? [])]),
      inspect(keys, { depth: 9, showHidden: true }),
      inspect(current, { depth: 9, showHidden: true }),
      JSON.stringify(current),
      JSON.stringify(keys),
      String(current),
      JSON.stringify(here.stored()),
      JSON.stringify({ ...current }),
    ];
    for (const text of shown) for (const d of secrets) expect(text).not.toContain(d);
    expect(JSON.stringify(structuredClone({ ...current, sign: undefined }))).not.toContain('"d"');
  });
});

it("PLG-1 gone with its plugin: without it nothing signs and nothing is served", () => {
  const built = build([corePlugin, gatewayPlugin] as readonly Plugin[], {});
  assert(built.ok, "it builds");
  expect(built.kernel.scope(gatewayPlugin.manifest.id).get(identityPoint).size).toBe(0);
});

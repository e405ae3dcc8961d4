import { createVerifier, memoryNonces, type NonceStore } from "@countersign/web-bot-auth";
import { storeNonces } from "@countersign/web-bot-auth/plugin";
import { describe, expect, it } from "vitest";
import { pluginWorld } from "./support/plugin-ctx.ts";
import { DIRECTORY, GET, NOON_S, published, world } from "./support/world.ts";

type Here = ReturnType<typeof pluginWorld>;
const STORES: readonly (readonly [string, (here: Here) => NonceStore])[] = [
  ["memory", ({ now }) => memoryNonces({ now })],
  ["the plugin's store", ({ ctx }) => storeNonces(ctx)],
];

describe.each(STORES)("nonces in %s", (_name, make) => {
  /** One request of noon, for a minute, and a verifier whose clock is moved. */
  async function signedAtNoon() {
    const here = pluginWorld();
    const { publicKey, sign } = await world();
    const verifier = createVerifier({
      keys: published({ [DIRECTORY]: [publicKey] }),
      nonces: make(here),
      now: here.now,
    });
    const request = await sign(GET, { lifetimeS: 60 });
    const told = async () => {
      const [result] = (await verifier.verify(request)).results;
      return result?.outcome === "verified" ? result.outcome : result?.reason;
    };
    return { told, to: (atMs: number) => here.advance(NOON_S * 1000 + atMs - here.now()) };
  }

  it("N3 clocks may differ by 30 s, to the second, on both sides", async () => {
    for (const [atMs, expected] of [
      [-30_001, "clock_ahead"],
      [-30_000, "verified"],
      [90_000, "verified"],
      [90_999, "verified"],
      [91_000, "expired"],
    ] as const) {
      const { told, to } = await signedAtNoon();
      to(atMs);
      expect([atMs, await told()]).toEqual([atMs, expected]);
    }
  });

  it("N28 there is no moment in which a signature is still taken and its nonce forgotten", async () => {
    const { told, to } = await signedAtNoon();
    to(-30_000);
    expect(await told()).toBe("verified");
    for (const atMs of [0, 60_000, 89_999, 90_000, 90_001, 90_999]) {
      to(atMs);
      expect([atMs, await told()]).toEqual([atMs, "replayed"]);
    }
    to(91_000);
    expect(await told()).toBe("expired");
  });
});

describe("what a stranger can have kept", () => {
  const use = (identifier: string, key: string, expiresAtMs: number) => ({ identifier, key, expiresAtMs });

  it("N28 a signer at its bound is told that nothing is known; a replay is told, and others have their room", async () => {
    const here = pluginWorld();
    const store = storeNonces(here.ctx, { maxPerIdentifier: 2 });
    const end = here.now() + 1000;
    const answers: string[] = [];
    for (const [who, key] of ["a1", "a2", "a3", "a1", "b4"].map((text) => [text.slice(0, 1), text] as const))
      answers.push(await store.record(use(who, key, end)));
    expect(answers).toEqual(["recorded", "recorded", "full", "seen", "recorded"]);
    here.advance(1000);
    expect(await store.record(use("a", "a3", here.now() + 1000))).toBe("recorded");
  });

  it("all signers together have one bound, which is counted anew after some seconds", async () => {
    const here = pluginWorld();
    const store = storeNonces(here.ctx, { max: 2 });
    const end = here.now() + 5_000;
    expect([await store.record(use("a", "1", end)), await store.record(use("b", "2", end))]).toEqual(
      Array(2).fill("recorded"),
    );
    expect(await store.record(use("c", "3", end))).toBe("full");
    here.advance(10_000);
    expect(await store.record(use("c", "3", here.now() + 5_000))).toBe("recorded");
  });

  it("a verified request whose nonce could not be kept says so, and is good for reading at most", async () => {
    const here = pluginWorld();
    const { publicKey, sign } = await world();
    const keys = published({ [DIRECTORY]: [publicKey] });
    const verifier = createVerifier({ keys, nonces: storeNonces(here.ctx, { maxPerIdentifier: 0 }), now: here.now });
    const { results } = await verifier.verify(await sign(GET));
    expect(results).toEqual([expect.objectContaining({ outcome: "verified", nonceState: "store_unavailable" })]);
  });
});

import type { PluginCtx, VaultRef } from "@countersign/plugin";
import { assert, err, isJsonObject, type Json, ok, parseJson, type Result, secret } from "@countersign/wire";
import { firstKey, listed, type RingKey, rotated, signing, withdrawn } from "../directory/key-ring.ts";
import { generateSigningKey, importSigningKey, type SigningKey } from "../keys/signing-key.ts";
import type { SignerKeys } from "./points.ts";

// The gateway's keys: which there are stands in the plugin's store, under one name, and changes only over what was read;
// their private halves stand in the vault, and leave it for the moment in which a key is made of one. Which key signs is
// looked up once a second at most, for a page asks for dozens of things at once: a key that another gateway on the same
// store withdrew signs here no longer than that.

interface VaultKey extends RingKey {
  readonly ref: VaultRef;
}

const RING = "keys";
const TRIES_MAX = 5;
const RING_FRESH_MS = 1_000;

export type RotateProblem =
  /** A key that was made before does not sign yet: first its time has to come. */
  | "under_way"
  /** The keys were changed by somebody else at the same time: nothing was done. */
  | "changed_meanwhile";

/** A key with its place in the rotation. */
export interface RingEntry extends RingKey {
  readonly publicJwk: SigningKey["publicJwk"];
}

/** {@link SignerKeys} with what a command does to them. */
export interface VaultKeys extends SignerKeys {
  /** Every key that is listed, with its times, in the order in which they were made. */
  ring(ctx: PluginCtx): Promise<readonly RingEntry[]>;
  /** Lists a new key, which takes over once every verifier can know it. Answers its id. */
  rotate(ctx: PluginCtx): Promise<Result<{ readonly keyId: string; readonly signsFromMs: number }, RotateProblem>>;
  /** Takes a key away at once, with its private half; another signs in its place. */
  withdraw(
    ctx: PluginCtx,
    keyId: string,
  ): Promise<Result<{ readonly keyId: string }, "unknown_key" | "changed_meanwhile">>;
}

export function vaultKeys(): VaultKeys {
  // Keys made of their private halves, by id, so that the vault is opened once and not for each request.
  const ready = new Map<string, SigningKey>();
  let seen: { readonly ring: Promise<readonly VaultKey[]>; readonly atMs: number } | undefined;
  const lately = (ctx: PluginCtx): Promise<readonly VaultKey[]> => {
    const nowMs = ctx.now();
    if (seen === undefined || nowMs < seen.atMs || nowMs - seen.atMs >= RING_FRESH_MS) {
      const looking = { ring: readRing(ctx).then(({ ring }) => ring), atMs: nowMs };
      seen = looking;
      // What could not be read is read again.
      looking.ring.catch(() => {
        if (seen === looking) seen = undefined;
      });
    }
    return seen.ring;
  };
  const listedKeys = async (ctx: PluginCtx): Promise<readonly VaultKey[]> => {
    const { ring } = await readRing(ctx);
    return listed(ring, ctx.now());
  };
  const keyOf = async (ctx: PluginCtx, { keyId, ref }: VaultKey): Promise<SigningKey> => {
    const known = ready.get(keyId);
    if (known !== undefined) return known;
    const used = await ctx.vault.use(ref, (text) => importSigningKey(secret(jwkOf(text))));
    assert(used.ok && used.value.ok && used.value.value.keyId === keyId, "the vault holds the keys of the ring");
    ready.set(keyId, used.value.value);
    return used.value.value;
  };
  return {
    async current(ctx) {
      const key = signing(await lately(ctx), ctx.now());
      assert(key !== undefined, "some key of the ring signs");
      return keyOf(ctx, key);
    },
    async listed(ctx) {
      return Promise.all((await listedKeys(ctx)).map((key) => keyOf(ctx, key)));
    },
    async ring(ctx) {
      return Promise.all(
        (await listedKeys(ctx)).map(async (key) => {
          const { ref: _, ...times } = key;
          return { ...times, publicJwk: (await keyOf(ctx, key)).publicJwk };
        }),
      );
    },
    async rotate(ctx) {
      const nowMs = ctx.now();
      const { ring, version } = await readRing(ctx);
      if (listed(ring, nowMs).some((key) => key.signsFromMs > nowMs)) return err("under_way");
      const made = await makeKey(ctx);
      const next = rotated(ring, made.keyId, { nowMs }).map((key) => withRef(key, made));
      const changed = await change(ctx, ring, next, version);
      seen = undefined;
      if (!changed) return err("changed_meanwhile");
      const key = next.find(({ keyId }) => keyId === made.keyId);
      assert(key !== undefined, "the new key is in the ring");
      return ok({ keyId: key.keyId, signsFromMs: key.signsFromMs });
    },
    async withdraw(ctx, keyId) {
      const { ring, version } = await readRing(ctx);
      const going = ring.find((key) => key.keyId === keyId);
      if (going === undefined) return err("unknown_key");
      const made = await makeKey(ctx);
      const replacement = { keyId: made.keyId, nowMs: ctx.now() };
      const next = withdrawn(ring, keyId, replacement).map((key) => withRef(key, made));
      const changed = await change(ctx, ring, next, version);
      seen = undefined;
      if (!changed) return err("changed_meanwhile");
      ready.delete(keyId);
      return ok({ keyId: made.keyId });
    },
  };
}

/** The ring; made, with its first key, when there is none. Two that begin at once end with the same one. */
async function readRing(ctx: PluginCtx): Promise<{ readonly ring: readonly VaultKey[]; readonly version: number }> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await ctx.store.get(RING);
    if (found !== undefined) return { ring: parseRing(found.value), version: found.version };
    const made = await makeKey(ctx);
    const written = await ctx.store.put(RING, ringJson([{ ...firstKey(made.keyId, ctx.now()), ref: made.ref }]), 0);
    if (!written.ok) await ctx.vault.remove(made.ref);
  }
  throw new Error("the ring of keys could not be read");
}

/** Writes the ring over what was read, if that still stands; takes from the vault whatever is in no ring any more. */
async function change(
  ctx: PluginCtx,
  before: readonly VaultKey[],
  after: readonly VaultKey[],
  version: number,
): Promise<boolean> {
  const written = await ctx.store.put(RING, ringJson(after), version);
  const [gone, kept] = written.ok ? [before, after] : [after, before];
  for (const { ref } of gone) if (!kept.some((key) => key.ref === ref)) await ctx.vault.remove(ref);
  return written.ok;
}

async function makeKey(ctx: PluginCtx): Promise<{ readonly keyId: string; readonly ref: VaultRef }> {
  const { key, privateJwk } = await generateSigningKey();
  const ref = await ctx.vault.put(secret(JSON.stringify(privateJwk.reveal())));
  return { keyId: key.keyId, ref };
}

function withRef(key: RingKey | VaultKey, made: { readonly keyId: string; readonly ref: VaultRef }): VaultKey {
  if ("ref" in key) return key;
  assert(key.keyId === made.keyId, "the only key without a place is the new one");
  return { ...key, ref: made.ref };
}

function ringJson(ring: readonly VaultKey[]): Json {
  return ring.map(({ keyId, ref, listedAtMs, signsFromMs, listedUntilMs }) => ({
    key_id: keyId,
    ref,
    listed_at_ms: listedAtMs,
    signs_from_ms: signsFromMs,
    ...(listedUntilMs === undefined ? {} : { listed_until_ms: listedUntilMs }),
  }));
}

function parseRing(value: Json): readonly VaultKey[] {
  assert(Array.isArray(value), "a stored ring is a list");
  return (value as readonly Json[]).map((one) => {
    assert(isJsonObject(one), "a stored key is an object");
    const { key_id: keyId, ref, listed_at_ms: listedAtMs, signs_from_ms: signsFromMs, listed_until_ms: until } = one;
    assert(typeof keyId === "string" && typeof ref === "string", "a stored key has its id and place");
    assert(typeof listedAtMs === "number" && typeof signsFromMs === "number", "a stored key has its times");
    return {
      keyId,
      ref: ref as VaultRef,
      listedAtMs,
      signsFromMs,
      ...(typeof until === "number" ? { listedUntilMs: until } : {}),
    };
  });
}

function jwkOf(text: string): JsonWebKey {
  const parsed = parseJson(text);
  assert(parsed.ok && isJsonObject(parsed.value), "a stored private key is JSON");
  return parsed.value as JsonWebKey;
}

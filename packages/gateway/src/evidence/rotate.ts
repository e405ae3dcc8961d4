import { buildKeySet, KEY_SET_BYTES_MAX } from "@countersign/profile";
import {
  assert,
  digestOfText,
  generateSigningKey,
  type Instant,
  importPrivateKey,
  instant,
  type JsonObject,
  type JwkLike,
  parseJws,
  secret,
  signerOf,
  signJws,
  thumbprint,
} from "@countersign/wire";
import type { Selectable } from "kysely";
import { KEY_LIFE_MS, KEY_OVERLAP_MS, KEY_RENEW_MS } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import { isUniqueViolation, type Store, type Tx } from "../store/store.ts";
import { openText, type Sealer, sealText } from "../vault/seal.ts";
import { insertSignedLeaf } from "./log/leaf.ts";

/** Never shared: the approval service, the executor, the log (approval-evidence section 3). */
export type EvidenceRole = "approval" | "receipt" | "log";
export const ROLES: readonly EvidenceRole[] = ["approval", "receipt", "log"];

export interface RotateDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly issuer: string;
  readonly now: () => Instant;
}

export interface Rotation {
  readonly roles: readonly EvidenceRole[];
  /** The present keys of these roles are compromised: from then on their signatures count no more. */
  readonly suspectFrom?: Instant;
}

type KeyRow = Selectable<Schema["signing_key"]>;
interface SetRow {
  readonly version: number;
  readonly jws: string;
}

/** The first keys of a store, with the version of the key set that lists them. */
export async function firstKeySet(deps: RotateDeps): Promise<void> {
  const now = deps.now();
  const made = await Promise.all(ROLES.map((role) => makeKey(deps.sealer, role, now, now)));
  const set = await signSet(deps, made, logKey(made), undefined, now);
  await deps.store.transaction((tx) => storeSets(tx, made, [set], now));
}

/**
 * Puts new keys in the place of the present ones and publishes the key set that says so. A new log key is introduced by
 * a version signed with the old one and confirmed by one signed with the new, so that holders of either pin are led to
 * the same set; unless the old one is compromised, for then its word introduces nobody.
 *
 * @returns the new key set's version and the pin that belongs to it.
 */
export async function rotateKeys(
  deps: RotateDeps,
  rotation: Rotation,
): Promise<{ readonly version: number; readonly pin: string }> {
  return onTopOfOthers(() => tryRotate(deps, rotation));
}

/** Replaces keys that come to their end: a gateway that nobody looks after must not end up signing with dead keys. */
export async function renewKeys(deps: RotateDeps): Promise<void> {
  await onTopOfOthers(async () => {
    const rows = await deps.store.db.selectFrom("signing_key").selectAll().where("role", "in", ROLES).execute();
    const limit = deps.now() + KEY_RENEW_MS;
    const roles = ROLES.filter(
      (role) => !rows.some((row) => row.role === role && row.revoked_at === null && row.not_after > limit),
    );
    if (roles.length > 0) await tryRotate(deps, { roles });
  });
}

/** Somebody else may publish the same version first: the work begins again on top of theirs. */
async function onTopOfOthers<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
}

async function tryRotate(deps: RotateDeps, { roles, suspectFrom }: Rotation) {
  const { store } = deps;
  const now = deps.now();
  const previous = await newestSet(store);
  const rows = await store.db.selectFrom("signing_key").selectAll().where("role", "in", ROLES).execute();
  // Receipts that wait for their signature since the old key became suspect need one that counts at their time.
  const notBefore = instant(Math.min(now, suspectFrom ?? now));
  const made = await Promise.all(roles.map((role) => makeKey(deps.sealer, role, notBefore, now)));
  const changed = rows
    .filter((row) => roles.some((role) => role === row.role) && row.revoked_at === null)
    .flatMap((row) => retired(row, now, suspectFrom));
  const after = [...rows.map((row) => changed.find((c) => c.kid === row.kid) ?? row), ...made];

  const oldLog = rows.find((row) => row.kid === previous.signedBy);
  assert(oldLog !== undefined, "the log key of the present set is in the store");
  const newLog = made.find((row) => row.role === "log");
  const sets: SetRow[] = [];
  // The word of a compromised or expired log key introduces nobody: holders of its pin need the new one from elsewhere.
  const vouches = newLog === undefined || (suspectFrom === undefined && now <= oldLog.not_after);
  if (vouches) sets.push(await signSet(deps, after, oldLog, previous, now));
  if (newLog !== undefined) sets.push(await signSet(deps, after, newLog, sets.at(-1) ?? previous, now));
  await store.transaction(async (tx) => {
    for (const { kid, not_after, revoked_at, suspect_from } of changed) {
      await tx.updateTable("signing_key").set({ not_after, revoked_at, suspect_from }).where("kid", "=", kid).execute();
    }
    await storeSets(tx, made, sets, now);
  });
  const last = sets.at(-1);
  assert(last !== undefined, "a rotation publishes a key set");
  return { version: last.version, pin: (newLog ?? oldLog).kid };
}

/** What becomes of a present key. One that is only replaced stays good for what is being signed at this moment. */
function retired(row: KeyRow, now: number, suspectFrom: number | undefined): readonly KeyRow[] {
  if (suspectFrom !== undefined)
    return row.not_after < suspectFrom ? [] : [{ ...row, revoked_at: now, suspect_from: suspectFrom }];
  const until = now + KEY_OVERLAP_MS;
  return row.not_after <= until ? [] : [{ ...row, not_after: until }];
}

async function newestSet(store: Store): Promise<SetRow & { readonly signedBy: string }> {
  const row = await store.db
    .selectFrom("key_set")
    .selectAll()
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return { version: row.version, jws: row.jws, signedBy: signerOfSet(row.jws) };
}

/** Thumbprint of the log key that signed a stored key set. */
export function signerOfSet(jws: string): string {
  const parsed = parseJws(jws, { maxPayloadBytes: KEY_SET_BYTES_MAX });
  assert(parsed.ok, "a stored key set is readable");
  return parsed.value.header.kid;
}

function logKey(rows: readonly KeyRow[]): KeyRow {
  const found = rows.find((row) => row.role === "log");
  assert(found !== undefined, "a log key is made");
  return found;
}

async function makeKey(sealer: Sealer, role: EvidenceRole, notBefore: number, now: number): Promise<KeyRow> {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const kid = await thumbprint({ ...publicJwk });
  return {
    kid,
    role,
    public_jwk: JSON.stringify(publicJwk),
    sealed: sealText(sealer, `key:${kid}`, JSON.stringify(privateJwk.reveal())),
    not_before: notBefore,
    not_after: now + KEY_LIFE_MS,
    revoked_at: null,
    suspect_from: null,
  };
}

async function signSet(
  deps: RotateDeps,
  keys: readonly KeyRow[],
  signer: KeyRow,
  previous: SetRow | undefined,
  now: Instant,
): Promise<SetRow> {
  const listed = [...keys].sort((a, b) => a.not_before - b.not_before);
  const set = await buildKeySet({
    issuer: deps.issuer,
    issuedAt: now,
    ...(previous === undefined
      ? {}
      : { previous: { version: previous.version, digest: await digestOfText(previous.jws) } }),
    keys: listed.map((row) => ({
      jwk: JSON.parse(row.public_jwk) as JwkLike,
      role: row.role as EvidenceRole,
      notBefore: instant(row.not_before),
      notAfter: instant(row.not_after),
      ...(row.revoked_at === null || row.suspect_from === null
        ? {}
        : { compromised: { revokedAt: instant(row.revoked_at), suspectFrom: instant(row.suspect_from) } }),
    })),
  });
  assert(set.ok, "a key set of our own making is one");
  const jwk: unknown = JSON.parse(openText(deps.sealer, `key:${signer.kid}`, signer.sealed));
  const key = await importPrivateKey(secret(jwk as JsonWebKey));
  assert(key.ok, "a stored signing key is readable");
  const jws = await signJws(
    { kind: "keys", payload: set.value as JsonObject, kid: signer.kid, sign: signerOf(key.value) },
    { maxPayloadBytes: KEY_SET_BYTES_MAX },
  );
  return { version: set.value.version, jws };
}

/** New keys and the versions that list them; each version is a leaf of the log (approval-evidence section 3). */
async function storeSets(tx: Tx, made: readonly KeyRow[], sets: readonly SetRow[], now: number): Promise<void> {
  for (const row of made) await tx.insertInto("signing_key").values(row).execute();
  for (const { version, jws } of sets) {
    await tx.insertInto("key_set").values({ version, jws, issued_at: now }).execute();
    await insertSignedLeaf(tx, { kind: "keys", recordId: `keys_${version}`, jws, createdAt: now });
  }
}

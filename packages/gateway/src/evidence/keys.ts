import {
  assert,
  type Digest,
  formatInstant,
  type Instant,
  importPrivateKey,
  type JsonObject,
  secret,
  signerOf,
  signJws,
} from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Schema } from "../store/schema.ts";
import { isUniqueViolation, type Store } from "../store/store.ts";
import { openText, type Sealer } from "../vault/seal.ts";
import { type EvidenceRole, firstKeySet, ROLES, signerOfSet } from "./rotate.ts";

/** The keys of one version of the key set. */
export interface KeyView {
  readonly version: number;
  /** Thumbprint of the log key: with the issuer, the whole trust anchor of an offline verification. */
  readonly pin: Digest;
  /** The key set, a JWS signed by the log key. */
  readonly keySet: string;
  /**
   * Compact JWS of a record of `kind` under the role's key that is valid at the time that the record itself states: one
   * that waited for its signature over a change of keys verifies too.
   */
  sign(role: EvidenceRole, kind: SignedKindName, payload: JsonObject): Promise<string>;
}

export interface EvidenceKeys extends Pick<KeyView, "pin" | "keySet" | "sign"> {
  /** The newest version, whichever process made it. `pin` and `keySet` are of the version last read. */
  current(): Promise<KeyView>;
}

/** Kinds of signed records, each with the member that says when it was signed. */
const TIME_OF = {
  approval: "decided_at",
  credential: "enrolled_at",
  revocation: "at",
  receipt: "finished_at",
  checkpoint: "time",
} as const;
export type SignedKindName = keyof typeof TIME_OF;

export interface KeyDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly issuer: string;
  readonly now: () => Instant;
}

type KeyRow = Selectable<Schema["signing_key"]>;

type Sign = (bytes: Uint8Array) => Promise<Uint8Array>;

/** Loads the evidence keys; the first start makes them and the first key set. */
export async function loadEvidenceKeys(deps: KeyDeps): Promise<EvidenceKeys> {
  const { store } = deps;
  if ((await newestVersion(store)) === 0) {
    await firstKeySet(deps).catch((error: unknown) => {
      // Another process that starts on the same store was first.
      if (!isUniqueViolation(error)) throw error;
    });
  }
  const signers = new Map<string, Promise<Sign>>();
  const signer = (row: KeyRow): Promise<Sign> => {
    const known = signers.get(row.kid) ?? signerFor(deps.sealer, row);
    signers.set(row.kid, known);
    return known;
  };
  let view = await readView(store, signer);
  const current = async (): Promise<KeyView> => {
    if ((await newestVersion(store)) !== view.version) view = await readView(store, signer);
    return view;
  };
  return {
    get pin() {
      return view.pin;
    },
    get keySet() {
      return view.keySet;
    },
    current,
    async sign(role, kind, payload) {
      return (await current()).sign(role, kind, payload);
    },
  };
}

/** The key of `role` whose signatures count at `at` (a record time, seconds): of several the one that will last longest. */
function keyAt(rows: readonly KeyRow[], role: EvidenceRole, at: string): KeyRow | undefined {
  const time = (ms: number) => formatInstant(ms as Instant);
  const good = rows.filter(
    (row) =>
      row.role === role &&
      time(row.not_before) <= at &&
      at <= time(row.not_after) &&
      (row.suspect_from === null || at < time(row.suspect_from)) &&
      (row.revoked_at === null || at < time(row.revoked_at)),
  );
  return good.reduce<KeyRow | undefined>(
    (best, row) => (best === undefined || row.not_after > best.not_after ? row : best),
    undefined,
  );
}

async function newestVersion(store: Store): Promise<number> {
  const row = await store.db
    .selectFrom("key_set")
    .select(({ fn }) => fn.max("version").as("version"))
    .executeTakeFirst();
  return Number(row?.version ?? 0);
}

async function readView(store: Store, signer: (row: KeyRow) => Promise<Sign>): Promise<KeyView> {
  const latest = await store.db
    .selectFrom("key_set")
    .selectAll()
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const rows = await store.db.selectFrom("signing_key").selectAll().where("role", "in", ROLES).execute();
  return {
    version: latest.version,
    pin: signerOfSet(latest.jws) as Digest,
    keySet: latest.jws,
    async sign(role, kind, payload) {
      const at = payload[TIME_OF[kind]];
      assert(typeof at === "string", "a signed record says when it was signed");
      const row = keyAt(rows, role, at);
      assert(row !== undefined, `there is a ${role} key for that time`);
      return signJws({ kind, payload, kid: row.kid, sign: await signer(row) });
    },
  };
}

async function signerFor(sealer: Sealer, row: { readonly kid: string; readonly sealed: Uint8Array }): Promise<Sign> {
  const jwk: unknown = JSON.parse(openText(sealer, `key:${row.kid}`, row.sealed));
  const key = await importPrivateKey(secret(jwk as JsonWebKey));
  assert(key.ok, "a stored signing key is readable");
  return signerOf(key.value);
}

import {
  type Digest,
  formatInstant,
  generateSigningKey,
  type Instant,
  importPrivateKey,
  type JsonObject,
  type PublicJwk,
  secret,
  signerOf,
  signJws,
  thumbprint,
} from "@countersign/wire";
import { KEY_LIFE_MS } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { openText, type Sealer, sealText } from "../vault/seal.ts";

/** Never shared: the approval service, the executor, the log (approval-evidence section 3). */
export type EvidenceRole = "approval" | "receipt" | "log";
const ROLES: readonly EvidenceRole[] = ["approval", "receipt", "log"];
const KEY_SET_BYTES_MAX = 64 * 1024;

export interface EvidenceKeys {
  /** Thumbprint of the log key: with the issuer, the whole trust anchor of an offline verification. */
  readonly pin: Digest;
  /** The current key set as a JWS signed by the log key. */
  readonly keySet: string;
  /** Compact JWS of a record of `kind` under the role's key. */
  sign(role: "approval" | "receipt", kind: string, payload: JsonObject): Promise<string>;
}

export interface KeyDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly issuer: string;
  readonly now: () => Instant;
}

/** Loads the evidence keys; the first start makes them and the first key set. */
export async function loadEvidenceKeys(deps: KeyDeps): Promise<EvidenceKeys> {
  const { store } = deps;
  const present = await store.db.selectFrom("signing_key").select("kid").where("role", "=", "log").executeTakeFirst();
  if (present === undefined) await makeKeys(deps);
  const rows = await store.db.selectFrom("signing_key").selectAll().where("role", "in", ROLES).execute();
  const latest = await store.db
    .selectFrom("key_set")
    .selectAll()
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const signers = new Map<
    string,
    { readonly kid: string; readonly sign: (bytes: Uint8Array) => Promise<Uint8Array> }
  >();
  for (const row of rows) signers.set(row.role, { kid: row.kid, sign: await signerFor(deps.sealer, row) });
  const log = signers.get("log");
  if (log === undefined) throw new Error("the store has no log key");
  return {
    pin: log.kid as Digest,
    keySet: latest.jws,
    async sign(role, kind, payload) {
      const signer = signers.get(role);
      if (signer === undefined) throw new Error(`the store has no ${role} key`);
      return signJws({ kind, payload, kid: signer.kid, sign: signer.sign });
    },
  };
}

type NewKey = Schema["signing_key"];

async function makeKeys(deps: KeyDeps): Promise<void> {
  const now = deps.now();
  const notAfter = (now + KEY_LIFE_MS) as Instant;
  const made: { readonly row: NewKey; readonly publicJwk: PublicJwk }[] = [];
  for (const role of ROLES) {
    const { publicJwk, privateJwk } = await generateSigningKey();
    const kid = await thumbprint({ ...publicJwk });
    const sealed = sealText(deps.sealer, `key:${kid}`, JSON.stringify(privateJwk.reveal()));
    const row = { kid, role, public_jwk: JSON.stringify(publicJwk), sealed, not_before: now, not_after: notAfter };
    made.push({ row, publicJwk });
  }
  const log = made.find((m) => m.row.role === "log");
  if (log === undefined) throw new Error("a log key is made");
  const payload: JsonObject = {
    typ: "countersign.keys/1",
    issuer: deps.issuer,
    version: 1,
    issued_at: formatInstant(now),
    prev: "",
    keys: made.map(({ row, publicJwk }) => ({
      kty: "EC",
      crv: "P-256",
      x: publicJwk.x,
      y: publicJwk.y,
      alg: "ES256",
      use: "sig",
      kid: row.kid,
      role: row.role,
      not_before: formatInstant(now),
      not_after: formatInstant(notAfter),
    })),
  };
  const sign = await signerFor(deps.sealer, log.row);
  const jws = await signJws({ kind: "keys", payload, kid: log.row.kid, sign }, { maxPayloadBytes: KEY_SET_BYTES_MAX });
  await deps.store.transaction(async (tx) => {
    for (const { row } of made) await tx.insertInto("signing_key").values(row).execute();
    await tx.insertInto("key_set").values({ version: 1, jws, issued_at: now }).execute();
  });
}

async function signerFor(sealer: Sealer, row: { readonly kid: string; readonly sealed: Uint8Array }) {
  const jwk: unknown = JSON.parse(openText(sealer, `key:${row.kid}`, row.sealed));
  const key = await importPrivateKey(secret(jwk as JsonWebKey));
  if (!key.ok) throw new Error("a stored signing key cannot be read");
  return signerOf(key.value);
}

import { type CredentialRecord, credentialRecord } from "@countersign/profile";
import { assert, err, formatInstant, type JsonObject, ok, parseJws, type Result } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core, Owner } from "../core.ts";
import { insertSignedLeaf } from "../evidence/log/leaf.ts";
import { insertRevocation } from "../evidence/revocations.ts";
import { CREDENTIAL_SETTLE_MS } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { Schema } from "../store/schema.ts";
import { type Db, isUniqueViolation, type Tx } from "../store/store.ts";

export type CredentialRow = Selectable<Schema["credential"]>;

/** A passkey whose creation was verified by whoever calls. */
export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: CredentialRecord["public_key"];
  readonly rpId: string;
  readonly origin: string;
  /** Attestation format, `none` for most passkeys. */
  readonly attestation: string;
  /** The person's own name for it. */
  readonly label: string;
  /**
   * `confirmed`: the first one, through the gateway's own one-time link. Any other decides after a day, unless an older
   * one confirms it. Asked in the transaction where two at once must not both be the first.
   */
  readonly standing: Standing | ((tx: Tx) => Promise<Standing>);
  readonly signCount?: number;
  /** How browsers can reach it, as it said. */
  readonly transports?: readonly string[];
  /** What is stored in the same transaction; `stop` undoes all of it. */
  readonly alongside?: (tx: Tx, row: CredentialRow) => Promise<"go_on" | "stop">;
}
type Standing = "confirmed" | "settling";

class Stopped extends Error {
  override readonly name = "Stopped";
}

/**
 * Enrols a passkey of an account holder with its signed record (approval-evidence section 4). A new one that nothing
 * older confirmed counts only after a day, so that whoever takes over a session cannot at once approve with their own.
 */
export async function enrolCredential(
  core: Core,
  owner: Owner,
  made: NewCredential,
): Promise<Result<CredentialRow, "conflict" | "stopped">> {
  const person = await core.store.db
    .selectFrom("person")
    .select("pseudonym")
    .where("person_id", "=", owner.personId)
    .executeTakeFirstOrThrow();
  const now = core.now();
  const record = credentialRecord.parse({
    typ: "countersign.credential/1",
    issuer: core.issuer,
    account_holder: person.pseudonym,
    credential_id: made.credentialId,
    rp_id: made.rpId,
    origin: made.origin,
    public_key: made.publicKey,
    attestation: made.attestation,
    enrolled_at: formatInstant(now),
  });
  const unjudged: CredentialRow = {
    credential_id: made.credentialId,
    tenant_id: owner.tenantId,
    person_id: owner.personId,
    public_key: JSON.stringify(made.publicKey),
    alg: made.publicKey.kty === "RSA" ? "RS256" : "ES256",
    rp_id: made.rpId,
    origin: made.origin,
    label: made.label,
    enrolled_at: now,
    confirmed_at: null,
    revoked_at: null,
    sign_count: made.signCount ?? 0,
    transports: JSON.stringify(made.transports ?? []),
    last_used_at: null,
    jws: await core.keys.sign("approval", "credential", record as JsonObject),
  };
  try {
    return await core.store.transaction(async (tx) => {
      const standing = typeof made.standing === "string" ? made.standing : await made.standing(tx);
      const row = { ...unjudged, confirmed_at: standing === "confirmed" ? now : null };
      await tx.insertInto("credential").values(row).execute();
      await tell(core, tx, owner, "passkey_added", row.credential_id);
      const { jws, tenant_id: tenantId } = row;
      const recordId = core.newId("crd");
      await insertSignedLeaf(tx, { kind: "credential", recordId, createdAt: now, tenantId, jws });
      if ((await made.alongside?.(tx, row)) === "stop") throw new Stopped();
      return ok(row);
    });
  } catch (error) {
    if (error instanceof Stopped) return err("stopped");
    if (isUniqueViolation(error)) return err("conflict");
    throw error;
  }
}

/** Ends a passkey for good; decisions that it made before stay what they are. */
export async function revokeCredential(core: Core, tx: Tx, owner: Owner, credentialId: string): Promise<void> {
  const at = core.now();
  const { numUpdatedRows } = await tx
    .updateTable("credential")
    .set({ revoked_at: at })
    .where("credential_id", "=", credentialId)
    .where("person_id", "=", owner.personId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n)
    await insertRevocation(core, tx, { what: "credential", ref: credentialId, at, tenantId: owner.tenantId });
}

/** Marks a settling passkey as confirmed; undefined where it is not there, or was confirmed before. */
export async function confirmCredential(
  core: Core,
  tx: Tx,
  owner: Owner,
  credentialId: string,
): Promise<CredentialRow | undefined> {
  const row = await findLive(tx, owner, credentialId);
  if (row === undefined || row.confirmed_at !== null) return undefined;
  const confirmed = { confirmed_at: core.now() };
  await tx.updateTable("credential").set(confirmed).where("credential_id", "=", credentialId).execute();
  return { ...row, ...confirmed };
}

/** Keeps what an answer said of the authenticator's counter. */
export async function noteCredentialUse(tx: Tx, credentialId: string, counter: number, now: number): Promise<void> {
  await tx
    .updateTable("credential")
    .set({ sign_count: counter, last_used_at: now })
    .where("credential_id", "=", credentialId)
    .execute();
}

/** A passkey of this very person that was not removed, whether it may decide yet or not. */
export async function findLive(db: Db, owner: Owner, credentialId: string): Promise<CredentialRow | undefined> {
  return db
    .selectFrom("credential")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** A passkey of this very person that may decide now. */
export async function findUsable(
  db: Db,
  owner: Owner,
  credentialId: string,
  now: number,
): Promise<CredentialRow | undefined> {
  const row = await findLive(db, owner, credentialId);
  if (row === undefined) return undefined;
  return now >= usableFrom(row) ? row : undefined;
}

/** When a passkey may decide: at once where it is confirmed, otherwise a day after it was enrolled. */
export function usableFrom(row: Pick<CredentialRow, "enrolled_at" | "confirmed_at">): number {
  return row.confirmed_at ?? row.enrolled_at + CREDENTIAL_SETTLE_MS;
}

/** Every passkey of a person that has not been removed, the oldest first. */
export async function listCredentials(db: Db, owner: Owner): Promise<readonly CredentialRow[]> {
  return db
    .selectFrom("credential")
    .selectAll()
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .where("revoked_at", "is", null)
    .orderBy("enrolled_at")
    .orderBy("credential_id")
    .execute();
}

/** The signed record of an enrolled passkey. */
export function credentialOf(row: CredentialRow): CredentialRecord {
  const jws = parseJws(row.jws);
  assert(jws.ok, "a stored credential is a JWS");
  return credentialRecord.parse(jws.value.payload);
}

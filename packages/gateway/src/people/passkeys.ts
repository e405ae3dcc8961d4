import { canonicalJson, digestOfText, err, fromBase64Url, ok, type Result, type Secret } from "@countersign/wire";
import {
  type CredentialRow,
  confirmCredential,
  enrolCredential,
  findLive,
  findUsable,
  listCredentials,
  noteCredentialUse,
  revokeCredential,
  usableFrom,
} from "../approval/credentials.ts";
import type { Core, Owner } from "../core.ts";
import { newToken } from "../ids.ts";
import { PASSKEYS_MAX } from "../limits.ts";
import type { Db, Tx } from "../store/store.ts";
import {
  type AssertionAnswer,
  challengeOf,
  challengeText,
  creationOptions,
  type RegistrationAnswer,
  requestOptions,
  verifyAnswer,
  verifyRegistration,
} from "./ceremony.ts";
import { issueChallenge, passChallenge, randomChallenge, spendChallenge } from "./challenges.ts";
import { judgeCounter } from "./counter.ts";
import { type PersonSession, renewToken } from "./sessions.ts";
import { noteSignInEvent } from "./sign-in-events.ts";

/**
 * A person's passkeys. One that is enrolled may sign in at once. It may decide critical approvals at once only where it is
 * *confirmed*: it is the first one, made in the session of a link that was made when the person had none; or an older one
 * that counts has signed that it is theirs. Any other settles for a day, so that whoever holds a session or a recovery
 * link for an hour gains nothing that its owner could not see and remove before it counts.
 */

/** Pure: whether a passkey made in this session counts at once (see above). `had` is every passkey, removed ones too. */
export function countsAtOnce(
  session: Pick<PersonSession, "began" | "linkMadeAt">,
  had: readonly { readonly revoked_at: number | null }[],
): boolean {
  const { began, linkMadeAt } = session;
  if (began !== "link" || linkMadeAt === null) return false;
  // Removing one's passkeys in this very session gains nothing: a thief could do it too.
  return had.every((one) => one.revoked_at !== null && one.revoked_at <= linkMadeAt);
}

/** Whether a passkey made in this session would count at once. */
export async function wouldCountAtOnce(db: Db | Tx, session: PersonSession): Promise<boolean> {
  const had = await db
    .selectFrom("credential")
    .select("revoked_at")
    .where("tenant_id", "=", session.tenantId)
    .where("person_id", "=", session.personId)
    .execute();
  return countsAtOnce(session, had);
}

export async function beginEnrolment(
  core: Core,
  session: PersonSession,
): Promise<Result<object, "too_many" | "conflict">> {
  const enrolled = await listCredentials(core.store.db, session);
  if (enrolled.length >= PASSKEYS_MAX) return err("conflict");
  const challenge = randomChallenge();
  const bound = { purpose: "enrol", boundTo: session.sessionHash } as const;
  const issued = await issueChallenge(core, challengeText(challenge), bound);
  if (!issued.ok) return issued;
  const { personId, name } = session;
  return ok(await creationOptions({ issuer: core.issuer, challenge, personId, name, enrolled }));
}

/** A session's new token comes with whatever made the session mean more. */
export interface Renewed {
  readonly token: Secret<string>;
  readonly credential: CredentialRow;
}

export async function finishEnrolment(
  core: Core,
  session: PersonSession,
  label: string,
  answer: RegistrationAnswer,
): Promise<Result<Renewed, "refused" | "conflict">> {
  const challenge = challengeOf(answer.response.clientDataJSON);
  if (challenge === undefined) return err("refused");
  const spent = await spendChallenge(core, challenge, { purpose: "enrol", boundTo: session.sessionHash });
  if (!spent.ok) return err("refused");
  const made = await verifyRegistration(core.issuer, challenge, answer);
  if (!made.ok) return made;
  let token: Secret<string> | undefined;
  const enrolled = await enrolCredential(core, session, {
    ...made.value,
    label,
    standing: async (tx) => ((await wouldCountAtOnce(tx, session)) ? "confirmed" : "settling"),
    alongside: async (tx, row) => {
      await passChallenge(tx, challenge, core.now());
      // The very first one is no news to whoever is making it, and there is nobody else yet.
      const as = row.confirmed_at === null ? "news" : "known";
      await noteSignInEvent(core, tx, session, "passkey_added", label, as);
      const renewed = await renewToken(tx, session.sessionHash);
      token = renewed.ok ? renewed.value : undefined;
      return renewed.ok ? "go_on" : "stop";
    },
  });
  if (!enrolled.ok) return enrolled.reason === "conflict" ? err("conflict") : err("refused");
  return token === undefined ? err("refused") : ok({ token, credential: enrolled.value });
}

/**
 * Asks an older passkey to sign for a new one. The challenge names the new one: it is the digest of its signed record
 * with a nonce, under a type of its own, so that the answer could never be taken for an approval or a sign-in.
 */
export async function beginConfirmation(
  core: Core,
  session: PersonSession,
  credentialId: string,
): Promise<Result<object, "too_many" | "conflict" | "not_found">> {
  const enrolled = await listCredentials(core.store.db, session);
  const target = enrolled.find((row) => row.credential_id === credentialId);
  if (target === undefined) return err("not_found");
  const older = enrolled.filter((row) => row !== target && core.now() >= usableFrom(row));
  if (target.confirmed_at !== null || older.length === 0) return err("conflict");
  const named = { typ: "countersign.confirm-passkey/1", credential_digest: await digestOfText(target.jws) };
  const challenge = await digestOfText(canonicalJson({ ...named, nonce: newToken() }));
  const issued = await issueChallenge(core, challenge, {
    purpose: "confirm",
    boundTo: session.sessionHash,
    credentialId,
  });
  if (!issued.ok) return issued;
  const bytes = fromBase64Url(challenge);
  if (!bytes.ok) throw new Error("a digest is base64url");
  return ok(await requestOptions({ issuer: core.issuer, challenge: bytes.value, among: older }));
}

export async function finishConfirmation(
  core: Core,
  session: PersonSession,
  answer: AssertionAnswer,
): Promise<Result<Renewed, "refused">> {
  const challenge = challengeOf(answer.response.clientDataJSON);
  if (challenge === undefined) return err("refused");
  const spent = await spendChallenge(core, challenge, { purpose: "confirm", boundTo: session.sessionHash });
  const target = spent.ok ? spent.value.credentialId : null;
  if (target === null || target === answer.id) return err("refused");
  const older = await findUsable(core.store.db, session, answer.id, core.now());
  if (older === undefined) return err("refused");
  const verified = await verifyAnswer(core.issuer, challenge, answer, older);
  if (!verified.ok) return verified;
  return core.store.transaction(async (tx): Promise<Result<Renewed, "refused">> => {
    const now = core.now();
    const still = await findUsable(tx, session, answer.id, now);
    if (still === undefined || !(await acceptCounter(core, tx, still, verified.value.counter))) return err("refused");
    const confirmed = await confirmCredential(core, tx, session, target);
    const renewed = await renewToken(tx, session.sessionHash);
    if (confirmed === undefined || !renewed.ok) return err("refused");
    await passChallenge(tx, challenge, now);
    await noteSignInEvent(core, tx, session, "passkey_confirmed", confirmed.label);
    return ok({ token: renewed.value, credential: confirmed });
  });
}

/** Judges the counter of a right answer and keeps it; a fallen one is noted for the person, and refused. */
export async function acceptCounter(core: Core, tx: Tx, row: CredentialRow, counter: number): Promise<boolean> {
  if (judgeCounter(row.sign_count, counter) === "fell_back") {
    const owner = { tenantId: row.tenant_id, personId: row.person_id };
    await noteSignInEvent(core, tx, owner, "passkey_copied", row.label);
    core.log.warn("passkey.counter_fell_back", { person: row.person_id });
    return false;
  }
  await noteCredentialUse(tx, row.credential_id, counter, core.now());
  return true;
}

export async function renamePasskey(
  core: Core,
  owner: Owner,
  credentialId: string,
  label: string,
): Promise<Result<CredentialRow, "not_found">> {
  return core.store.transaction(async (tx): Promise<Result<CredentialRow, "not_found">> => {
    const row = await findLive(tx, owner, credentialId);
    if (row === undefined) return err("not_found");
    await tx.updateTable("credential").set({ label }).where("credential_id", "=", credentialId).execute();
    return ok({ ...row, label });
  });
}

/**
 * Ends a passkey at once. It takes a session and nothing more: a lost device must be shut out by whoever notices, and a
 * thief gains nothing by it (see {@link countsAtOnce}); the person is told and gets a new link from the operator.
 */
export async function removePasskey(
  core: Core,
  owner: Owner,
  credentialId: string,
): Promise<Result<undefined, "not_found">> {
  return core.store.transaction(async (tx): Promise<Result<undefined, "not_found">> => {
    const row = await findLive(tx, owner, credentialId);
    if (row === undefined) return err("not_found");
    await revokeCredential(core, tx, owner, credentialId);
    await noteSignInEvent(core, tx, owner, "passkey_removed", row.label);
    return ok(undefined);
  });
}

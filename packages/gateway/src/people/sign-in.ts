import { err, ok, type Result, type Secret } from "@countersign/wire";
import type { CredentialRow } from "../approval/credentials.ts";
import type { Core } from "../core.ts";
import type { Db, Tx } from "../store/store.ts";
import {
  type AssertionAnswer,
  challengeOf,
  challengeText,
  requestOptions,
  userHandle,
  verifyAnswer,
} from "./ceremony.ts";
import { issueChallenge, passChallenge, randomChallenge, spendChallenge } from "./challenges.ts";
import { acceptCounter } from "./passkeys.ts";
import { beginSession } from "./sessions.ts";

/**
 * Sign-in by passkey, without a name: the browser offers the passkeys that it has for this gateway. Nobody is known
 * before the answer is right, so all of this runs as the system, and every refusal is the same one.
 */
export async function beginSignIn(core: Core, browser: string): Promise<Result<object, "too_many">> {
  const challenge = randomChallenge();
  const issued = await issueChallenge(core, challengeText(challenge), { purpose: "sign_in", boundTo: browser });
  return issued.ok ? ok(await requestOptions({ issuer: core.issuer, challenge, among: [] })) : issued;
}

export async function finishSignIn(
  core: Core,
  browser: string,
  answer: AssertionAnswer,
  device: string,
): Promise<Result<Secret<string>, "refused">> {
  const challenge = challengeOf(answer.response.clientDataJSON);
  if (challenge === undefined) return err("refused");
  const spent = await spendChallenge(core, challenge, { purpose: "sign_in", boundTo: browser });
  if (!spent.ok) return err("refused");
  const row = await findEnrolled(core.store.db, answer.id);
  // A discoverable passkey says whose it is; one that says otherwise, or nothing, is not the one that we enrolled.
  if (row === undefined || answer.response.userHandle !== userHandle(row.person_id)) return err("refused");
  const verified = await verifyAnswer(core.issuer, challenge, answer, row);
  if (!verified.ok) return verified;
  return core.store.transaction(async (tx): Promise<Result<Secret<string>, "refused">> => {
    const still = await findEnrolled(tx, answer.id);
    if (still === undefined || !(await acceptCounter(core, tx, still, verified.value.counter))) return err("refused");
    await passChallenge(tx, challenge, core.now());
    const owner = { tenantId: still.tenant_id, personId: still.person_id };
    return ok(await beginSession(core, tx, owner, { began: "passkey", device }));
  });
}

async function findEnrolled(db: Db | Tx, credentialId: string): Promise<CredentialRow | undefined> {
  return db
    .selectFrom("credential")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

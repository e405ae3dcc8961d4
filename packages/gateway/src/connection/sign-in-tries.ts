import type { SignInTries, TryAnswer, TryKind } from "@countersign/plugin";
import { formatInstant, type Instant } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import { SIGN_IN_TRIES_MAX, SIGN_IN_TRIES_MS, SIGN_IN_TRIES_WARN } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { Db, Tx } from "../store/store.ts";
import type { AccountRow } from "./accounts.ts";

/**
 * The lock-out guard. A site locks an account whose password or one-time code was wrong too often, so the gateway lets
 * a person try each only {@link SIGN_IN_TRIES_MAX} times in {@link SIGN_IN_TRIES_MS} at one destination, over all windows, processes and fresh
 * connections: before the first sign-in nobody can tell which account there is meant, so all of the person's at the
 * destination count together. A verified sign-in makes the site forget, so it makes its own account's tries be forgotten.
 * The gateway itself never signs in: there is no try but a person's.
 */
export interface TriesLeft {
  readonly left: number;
  /** When the oldest counted try is forgotten; only told with none left. */
  readonly until?: number;
}

type Where = Owner & Pick<AccountRow, "destination">;

/** Pure: what may still be tried, given when it was tried before. */
export function triesLeft(triedAt: readonly number[], now: number): TriesLeft {
  const counted = triedAt.filter((at) => now - at < SIGN_IN_TRIES_MS).sort((a, b) => a - b);
  const left = Math.max(0, SIGN_IN_TRIES_MAX - counted.length);
  const frees = counted[counted.length - SIGN_IN_TRIES_MAX];
  return left > 0 || frees === undefined ? { left } : { left, until: frees + SIGN_IN_TRIES_MS };
}

async function readTries(core: Core, db: Db, where: Where, kind: TryKind): Promise<TriesLeft> {
  const rows = await db
    .selectFrom("sign_in_try")
    .select("at")
    .where("person_id", "=", where.personId)
    .where("destination", "=", where.destination)
    .where("kind", "=", kind)
    .where("at", ">", core.now() - SIGN_IN_TRIES_MS)
    .execute();
  return triesLeft(
    rows.map(({ at }) => at),
    core.now(),
  );
}

/** Counts one try before it leaves; one too many is not counted and must not leave. */
export async function takeTry(core: Core, owner: Owner, account: AccountRow, kind: TryKind): Promise<TryAnswer> {
  const where = { ...owner, destination: account.destination };
  return core.store.transaction(async (tx): Promise<TryAnswer> => {
    const { left, until } = await readTries(core, tx, where, kind);
    if (left === 0) return { kind: "spent", until: formatInstant((until ?? core.now()) as Instant) };
    await tx
      .deleteFrom("sign_in_try")
      .where("person_id", "=", owner.personId)
      .where("at", "<=", core.now() - SIGN_IN_TRIES_MS)
      .execute();
    const row = { try_id: core.newId("try"), tenant_id: owner.tenantId, person_id: owner.personId, at: core.now() };
    await tx
      .insertInto("sign_in_try")
      .values({ ...row, kind, account_ref: account.account_ref, destination: account.destination })
      .execute();
    if (left - 1 === SIGN_IN_TRIES_WARN) await tell(core, tx, owner, "sign_in_tries_low", row.try_id);
    return { kind: "go", left: left - 1 };
  });
}

/** What is left of the kind of which less is left. */
export async function readFewestTries(core: Core, db: Db, where: Where): Promise<TriesLeft> {
  const password = await readTries(core, db, where, "password");
  const code = await readTries(core, db, where, "code");
  return code.left < password.left ? code : password;
}

export async function forgetTries(tx: Tx, accountRef: string): Promise<void> {
  await tx.deleteFrom("sign_in_try").where("account_ref", "=", accountRef).execute();
}

export function triesOf(core: Core, owner: Owner, account: AccountRow): SignInTries {
  return {
    take: (kind) => core.store.as({ tenantId: owner.tenantId }, () => takeTry(core, owner, account, kind)),
  };
}

import type { RouteKind, VaultRef } from "@countersign/plugin";
import type { Secret } from "@countersign/wire";
import type { Core } from "../core.ts";
import { GIVE_BACK_MS } from "../limits.ts";
import { taskCtx } from "../plugin-ctx.ts";
import type { Tx } from "../store/store.ts";
import { recallWatches } from "../tasks/wake.ts";
import { type AccountRow, type ConnectionRow, connectionsOf, loseConnection } from "./accounts.ts";

/** What a connection was kept by, in the moment in which it ends. */
interface Ended {
  readonly route: RouteKind;
  readonly material: Secret<string>;
}

/** The account holder ends every connection of an account. What was kept is gone with it, and handed out once more. */
export async function disconnect(core: Core, tx: Tx, account: AccountRow): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const connection of await connectionsOf(tx, account.account_ref)) {
    const material = await materialOf(core, tx, account, connection);
    if (material !== undefined) ended.push({ route: connection.route as RouteKind, material });
    await loseConnection(core, tx, account, connection.route, "disconnected", "disconnected by the account holder");
  }
  await recallWatches(tx, account.account_ref, core.now());
  return ended;
}

async function materialOf(
  core: Core,
  tx: Tx,
  account: AccountRow,
  { material_ref: ref }: ConnectionRow,
): Promise<Secret<string> | undefined> {
  if (ref === null) return undefined;
  // What cannot be read cannot be given back, and must not keep anybody from disconnecting.
  const found = await core.vault.get(tx, account.tenant_id, ref as VaultRef).catch(() => undefined);
  return found?.ok ? found.value : undefined;
}

/**
 * Tells the destinations afterwards, where a route knows how: a token that nobody has any more should not go on opening
 * something. Nobody waits for it; a process that dies, or a destination that is away, leaves it untold.
 */
export async function giveBack(core: Core, account: AccountRow, ended: readonly Ended[]): Promise<void> {
  const destinations = core.destinations.get(account.destination);
  for (const { route, material } of ended) {
    const destination = destinations?.byRoute.get(route);
    const opener = core.routes.get(route);
    if (destination === undefined || opener?.giveBack === undefined) continue;
    const ctx = taskCtx(core, {
      plugin: destination.id,
      tenantId: account.tenant_id,
      personId: account.person_id,
      accountRef: account.account_ref,
      signal: AbortSignal.timeout(GIVE_BACK_MS),
      progress: () => {},
    });
    await opener.giveBack(ctx, destination, material).catch(() => {
      core.log.warn("connection.not_given_back", { route });
    });
  }
}

import type {
  AccountDetail,
  Ctx,
  PersonId,
  PluginCtx,
  PluginStore,
  PluginVault,
  StoredValue,
  TaskId,
  TenantId,
  VaultRef,
} from "@countersign/plugin";
import { canonicalJson, err, type Json, ok, parseJson } from "@countersign/wire";
import { findDetail } from "./connection/details.ts";
import type { Core } from "./core.ts";
import { type Signing, signedBy } from "./egress/identity.ts";
import type { Schema } from "./store/schema.ts";
import type { Scope } from "./store/scope.ts";
import type { Tx } from "./store/store.ts";

const GATEWAY_WIDE = "";

/** Until when a value counts, and with which others. */
type Ends = Pick<Schema["plugin_value"], "expires_at" | "counted_with">;
const FOR_GOOD: Ends = { expires_at: null, counted_with: null };

/** What a plugin is given: its own corner of the store and vault, the one egress, nothing of anybody else's. */
export function pluginCtx(core: Core, plugin: string, tenantId: string, signal: AbortSignal): PluginCtx {
  return {
    now: core.now,
    signal,
    log: core.log,
    store: pluginStore(core, plugin, tenantId),
    vault: pluginVault(core, tenantId),
    sign: () => Promise.reject(new Error("no key is at the disposal of plugins yet")),
    fetch: core.egress.fetch,
  };
}

export interface TaskScope {
  readonly plugin: string;
  readonly tenantId: string;
  readonly personId: string;
  readonly accountRef: string;
  readonly taskId?: string;
  readonly signal: AbortSignal;
  readonly progress: (step: string, label: string) => void;
}

export function taskCtx(core: Core, scope: TaskScope): Ctx {
  return {
    ...pluginCtx(core, scope.plugin, scope.tenantId, scope.signal),
    tenant: scope.tenantId as TenantId,
    person: scope.personId as PersonId,
    ...(scope.taskId === undefined ? {} : { task: scope.taskId as TaskId }),
    progress: scope.progress,
    access: (challenge) => {
      const service = core.access.get(challenge.kind);
      // A service is given nothing of the task: not whose it is, not the session, not the wish (MFA-5).
      if (service === undefined) return Promise.resolve({ kind: "no_service" });
      return service.pass(gatewayCtx(core, `access.${challenge.kind}`, scope.signal), challenge);
    },
    delegate: (audience) => core.delegation.tokenFor(scope, audience),
    withIdentity: (request) => signedBy(signingOf(core, scope.signal), request),
    detail: (ref): Promise<AccountDetail | undefined> => findDetail(core, core.store.db, scope.accountRef, ref),
  };
}

/** Who proves to destinations who is calling, each with its own corner; what went unsigned is in the log. */
export function signingOf(core: Core, signal: AbortSignal): Signing {
  return {
    signers: core.identities,
    ctxFor: (id) => gatewayCtx(core, id, signal),
    onUnsigned: (id, why) => core.log.warn("identity.unsigned", { signer: id, why }),
  };
}

export function gatewayCtx(core: Core, plugin: string, signal: AbortSignal): PluginCtx {
  return pluginCtx(core, plugin, GATEWAY_WIDE, signal);
}

/** A plugin's corner is a tenant's, or, for what it keeps gateway-wide, nobody's: whoever calls, it is reached as that. */
function scopeOf(tenantId: string): Scope {
  return tenantId === GATEWAY_WIDE ? "system" : { tenantId };
}

function pluginStore(core: Core, plugin: string, tenantId: string): PluginStore {
  const inOwnScope = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    core.store.as(scopeOf(tenantId), () => core.store.transaction(work));
  const find = (tx: Tx, key: string) =>
    tx
      .selectFrom("plugin_value")
      .selectAll()
      .where("plugin", "=", plugin)
      .where("tenant_id", "=", tenantId)
      .where("key", "=", key)
      .executeTakeFirst();
  const write = (tx: Tx, key: string, value: Json, version: number, ends: Ends = FOR_GOOD) => {
    const written = { value: canonicalJson(value), version, ...ends };
    return tx
      .insertInto("plugin_value")
      .values({ plugin, tenant_id: tenantId, key, ...written })
      .onConflict((c) => c.columns(["plugin", "tenant_id", "key"]).doUpdateSet(written))
      .execute();
  };
  const alive = (row: { readonly expires_at: number | null } | undefined) =>
    row !== undefined && (row.expires_at === null || row.expires_at > core.now());
  return {
    get: (key): Promise<StoredValue | undefined> =>
      inOwnScope(async (tx) => {
        const row = await find(tx, key);
        return row === undefined || !alive(row) ? undefined : { value: stored(row.value), version: row.version };
      }),
    put: (key, value, ifVersion) =>
      inOwnScope(async (tx) => {
        const row = await find(tx, key);
        if ((row?.version ?? 0) !== ifVersion) return err("version_conflict");
        await write(tx, key, value, ifVersion + 1);
        return ok({ version: ifVersion + 1 });
      }),
    insertUnique: (key, expiresAt, group) =>
      inOwnScope(async (tx) => {
        const row = await find(tx, key);
        if (alive(row)) return false;
        const ends = { expires_at: expiresAt, counted_with: group ?? null };
        await write(tx, key, true, (row?.version ?? 0) + 1, ends);
        return true;
      }),
    // Outside the transactions that insert: a bound may be passed by as many as come at once, and none waits for another.
    countUnique: (most, group) =>
      core.store.as(scopeOf(tenantId), async () => {
        const all = core.store.db
          .selectFrom("plugin_value")
          .select("key")
          .where("plugin", "=", plugin)
          .where("tenant_id", "=", tenantId)
          .where("expires_at", ">", core.now());
        const ours =
          group === undefined ? all.where("counted_with", "is not", null) : all.where("counted_with", "=", group);
        const { n } = await core.store.db
          .selectFrom(ours.limit(most).as("ours"))
          .select(({ fn }) => fn.countAll<number>().as("n"))
          .executeTakeFirstOrThrow();
        return Number(n);
      }),
    add: (key, n, max) =>
      inOwnScope(async (tx) => {
        const row = await find(tx, key);
        const before = row === undefined ? 0 : Number(stored(row.value));
        if (before + n > max) return err("over_max");
        await write(tx, key, before + n, (row?.version ?? 0) + 1);
        return ok({ total: before + n });
      }),
  };
}

function pluginVault(core: Core, tenantId: string): PluginVault {
  const inOwnScope = <T>(work: () => Promise<T>): Promise<T> => core.store.as(scopeOf(tenantId), work);
  return {
    put: (value) => inOwnScope(() => core.vault.put(core.store.db, tenantId, value)),
    remove: (ref: VaultRef) => inOwnScope(() => core.vault.remove(core.store.db, tenantId, ref)),
    async use(ref, fn) {
      const found = await inOwnScope(() => core.vault.get(core.store.db, tenantId, ref));
      return found.ok ? ok(await fn(found.value.reveal())) : found;
    },
  };
}

function stored(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error("a stored plugin value is JSON");
  return parsed.value;
}

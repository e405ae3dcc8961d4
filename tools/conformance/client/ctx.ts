import type { Ctx, KeptMaterial, PersonId, StoredValue, TenantId, VaultRef } from "@countersign/plugin";
import { err, type Instant, instant, type Json, ok, type Secret } from "@countersign/wire";
// By path: the suite starts this program for each scenario, and a whole gateway is not what it needs.
import { createEgress } from "../../../packages/gateway/src/egress/egress.ts";
import { createGuard } from "../../../packages/gateway/src/egress/guard.ts";
import { createLog } from "../../../packages/gateway/src/log.ts";

/** What a route is given, in memory: the gateway's own way out, with the suite's loopback origins named as an operator names them. */
export function suiteCtx(origins: ReadonlySet<string>): Ctx {
  const values = new Map<string, StoredValue>();
  const secrets = new Map<string, Secret<string>>();
  const egress = createEgress(createGuard({ namedOrigins: origins }));
  const put = (key: string, value: Json, ifVersion: number) => {
    if ((values.get(key)?.version ?? 0) !== ifVersion) return err("version_conflict" as const);
    values.set(key, { value, version: ifVersion + 1 });
    return ok({ version: ifVersion + 1 });
  };
  return {
    now: (): Instant => instant(Date.now()),
    signal: new AbortController().signal,
    log: createLog("debug", (line) => process.stderr.write(line)),
    store: {
      get: async (key) => values.get(key),
      put: async (key, value, ifVersion) => put(key, value, ifVersion),
      insertUnique: async () => true,
      countUnique: async () => 0,
      add: async () => err("over_max"),
    },
    vault: {
      async put(value) {
        const ref = `ref_${secrets.size}` as VaultRef;
        secrets.set(ref, value);
        return ref;
      },
      async use(ref, fn) {
        const found = secrets.get(ref);
        return found === undefined ? err("unknown_ref") : ok(await fn(found.reveal()));
      },
      remove: async (ref) => void secrets.delete(ref),
    },
    sign: () => Promise.reject(new Error("nothing is signed here")),
    fetch: egress.fetch,
    tenant: "suite" as TenantId,
    person: "person" as PersonId,
    progress: () => {},
    detail: async () => undefined,
    access: async () => ({ kind: "no_service" }),
    delegate: async () => err("not_an_audience"),
    withIdentity: async (request) => request,
  };
}

export function keptIn(first: Secret<string>): KeptMaterial {
  let kept = first;
  return {
    read: async () => kept,
    async write(next) {
      kept = next;
      return true;
    },
  };
}

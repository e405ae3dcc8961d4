import type { Log } from "@countersign/plugin";
import { buildCatalogue, OPERATIONS, retailOrderSubmit, withApprovals } from "@countersign/profile";
import { assert, err, formatInstant, instant, secret } from "@countersign/wire";
import { Kysely } from "kysely";
import { type Caller, caller } from "../../packages/gateway/src/admission/caller.ts";
import { addAccount, connect } from "../../packages/gateway/src/connection/accounts.ts";
import { createHandOffs, type HandOffs } from "../../packages/gateway/src/connection/handoff.ts";
import { createWaitingPages } from "../../packages/gateway/src/connection/waiting-pages.ts";
import { decideConsent, requestConsent } from "../../packages/gateway/src/consent/decide.ts";
import type { Core, Owner } from "../../packages/gateway/src/core.ts";
import { knownDestinations } from "../../packages/gateway/src/destinations.ts";
import { createGuard } from "../../packages/gateway/src/egress/guard.ts";
import { type EvidenceKeys, loadEvidenceKeys } from "../../packages/gateway/src/evidence/keys.ts";
import { createSequencer } from "../../packages/gateway/src/evidence/sequencer.ts";
import { ensureFirstPerson } from "../../packages/gateway/src/people/people.ts";
import type { Point } from "../../packages/gateway/src/points.ts";
import { bringUpToDate } from "../../packages/gateway/src/store/migrate.ts";
import { SQLITE_TYPES } from "../../packages/gateway/src/store/migrations/define.ts";
import type { Schema } from "../../packages/gateway/src/store/schema.ts";
import { inScope } from "../../packages/gateway/src/store/scope.ts";
import { openSqlite } from "../../packages/gateway/src/store/sqlite.ts";
import type { Store } from "../../packages/gateway/src/store/store.ts";
import { createStepEnds } from "../../packages/gateway/src/tasks/step-ends.ts";
import type { Sealer } from "../../packages/gateway/src/vault/seal.ts";
import { createVault } from "../../packages/gateway/src/vault/vault.ts";
import { setSimulatedNow, simulatedNow } from "./platform.ts";
import { createRandom } from "./random.ts";
import { createShop, SHOP_ID, SHOP_ORIGIN, type Shop } from "./shop.ts";
import { createStage } from "./stage.ts";

const ISSUER = "https://gateway.example";
export const BASE_MS = Date.UTC(2026, 10, 30, 9);

/** The simulated person decides in their session: the passkey's own ceremony is no part of a life here. */
const DECIDED_IN_SESSION = withApprovals(OPERATIONS, { "retail.order.submit": "session" });
assert(DECIDED_IN_SESSION.ok, "the operation is in the catalogue");
const CATALOGUE = buildCatalogue(DECIDED_IN_SESSION.value);

type Raw = ReturnType<typeof openSqlite>["raw"];

/** The store of all runs of this thread, brought back to its beginning before each: keys, one person, one account. */
export interface House {
  /** A question to the store beside the gateway, prepared once. */
  ask(sql: string): ReturnType<Raw["prepare"]>;
  readonly owner: Owner;
  readonly agent: Caller;
  readonly accountRef: string;
  /** Grants of every sort, one of which a run is about. */
  readonly grants: readonly Grant[];
  reset(): void;
  /** A gateway process on the store, put together as `startGateway` does it but for HTTP and the loop. */
  start(life: Life): Process;
}

export interface Grant {
  readonly consentRef: string;
  readonly until: number;
  readonly uses: number;
}

/** What a process of one run is given. */
export interface Life {
  readonly shop: Shop;
  readonly newId: (prefix: string) => string;
  readonly log: Log;
  readonly reach: (point: Point) => Promise<void>;
  /** Names the process in leases. */
  readonly owner: string;
}

export interface Process {
  readonly core: Core;
  readonly handOffs: HandOffs;
}

/** Tests weaken the store here, to see that the simulation notices. */
export type Weaken = (raw: Raw) => void;

export async function openHouse(weaken: Weaken = () => {}): Promise<House> {
  setSimulatedNow(BASE_MS);
  const { dialect, raw } = openSqlite(":memory:");
  const db = new Kysely<Schema>({ dialect });
  const current = await bringUpToDate(db, SQLITE_TYPES);
  assert(current.ok, "a fresh store is brought up to date");
  weaken(raw);
  const store: Store = {
    kind: "sqlite",
    db,
    transaction: (work) => db.transaction().execute(work),
    as: inScope,
    alone: (work) => work(),
    hint: () => {},
    onHint: () => {},
    close: () => db.destroy(),
  };
  const sealer = OPEN_SEALER;
  const now = () => stageNow();
  const keyDeps = { store, sealer, issuer: ISSUER, now };
  const keys = await loadEvidenceKeys(keyDeps);

  const start = (life: Life): Process => {
    const core = coreOf(store, sealer, keys, life);
    return { core, handOffs: createHandOffs(core) };
  };

  const quiet = createShop(
    () => createStage(BASE_MS, () => {}),
    createRandom(0),
    () => {},
  );
  let made = 0;
  const { core } = start({
    shop: quiet,
    newId: (p) => `${p}_base${made++}`,
    log: SILENT,
    reach: async () => {},
    owner: "base",
  });
  const owner = await ensureFirstPerson(core);
  const accountRef = await core.store.transaction(async (tx) => {
    const account = await addAccount(core, tx, owner, SHOP_ID);
    const identity = { name: "Simulated customer", details: [] };
    await connect(core, tx, account, "http", { identity, material: secret(quiet.material()) });
    return account.account_ref;
  });
  const agent = caller({ ...owner, clientId: "agent_simulated" });
  raw
    .prepare(
      "insert into agent (client_id, tenant_id, person_id, name, state, created_at) values (?, ?, ?, 'A', 'accepted', ?)",
    )
    .run(agent.clientId, owner.tenantId, owner.personId, BASE_MS);
  const grants: Grant[] = [];
  for (const { minutes, uses } of GRANTS) grants.push(await give(core, owner, agent, accountRef, minutes, uses));
  const reset = rememberer(raw);
  const asked = new Map<string, ReturnType<Raw["prepare"]>>();
  const ask = (sql: string): ReturnType<Raw["prepare"]> => {
    const known = asked.get(sql) ?? raw.prepare(sql);
    asked.set(sql, known);
    return known;
  };
  return { ask, owner, agent, accountRef, grants, reset, start };
}

const MINUTE_MS = 60_000;
const FOR_LONG = 24 * 60;
/** For long and without end, for one use, and for so short that it runs out on the way. */
const GRANTS: readonly { readonly minutes: number; readonly uses?: number }[] = [
  { minutes: FOR_LONG },
  { minutes: FOR_LONG },
  { minutes: FOR_LONG, uses: 1 },
  { minutes: 18 },
  { minutes: 7 },
  { minutes: 2 },
];

/** The agent asks for a grant and the person gives it. */
async function give(
  core: Core,
  owner: Owner,
  agent: Caller,
  accountRef: string,
  minutes: number,
  uses: number | undefined,
): Promise<Grant> {
  const until = BASE_MS + minutes * MINUTE_MS;
  const scope = {
    operations: [retailOrderSubmit.id],
    routes: ["http"],
    limits: uses === undefined ? {} : { periods: { total: { max_actions: uses } } },
    expires_at: formatInstant(instant(until)),
  };
  const asked = await requestConsent(core, agent, { account_ref: accountRef, purpose: "to be simulated", ...scope });
  assert(asked.ok, "the grant is asked for");
  const { consent_ref: consentRef } = asked.value;
  const given = await decideConsent(core, owner, consentRef, { decision: "grant", account_ref: accountRef, ...scope });
  assert(given.ok, "the grant is given");
  return { consentRef, until, uses: uses ?? Number.POSITIVE_INFINITY };
}

/** Seals nothing, but holds every value to its row as the real one does: what encryption is worth is proven elsewhere. */
const OPEN_SEALER: Sealer = {
  seal: (context, plain) => Buffer.concat([Buffer.from(`${context}\n`, "utf8"), plain]),
  open(context, sealed) {
    const head = Buffer.from(`${context}\n`, "utf8");
    assert(head.equals(sealed.subarray(0, head.length)), "a sealed value stays with its row");
    return sealed.subarray(head.length);
  },
};

export const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function stageNow() {
  return simulatedNow() as ReturnType<Core["now"]>;
}

function coreOf(store: Store, sealer: Core["sealer"], keys: EvidenceKeys, life: Life): Core {
  const now = stageNow;
  const routes = new Map([[life.shop.route.kind, life.shop.route]]);
  const sites = new Map([[life.shop.site.id, life.shop.site]]);
  const destinations = knownDestinations([{ id: SHOP_ID, site: SHOP_ID, origin: SHOP_ORIGIN }], sites, routes);
  assert(destinations.ok, "the simulated shop can be configured");
  const guard = createGuard({ namedOrigins: new Set() });
  return {
    issuer: ISSUER,
    store,
    catalogue: CATALOGUE,
    destinations: destinations.value,
    routes,
    access: new Map(),
    pages: createWaitingPages(life.log),
    authorities: new Map(),
    people: { fetch: () => Promise.reject(new Error("nobody signs in by an outside provider")) },
    sealer,
    vault: createVault({ sealer, newId: life.newId, now }),
    keys,
    sequencer: createSequencer({
      store,
      keys,
      issuer: ISSUER,
      now,
      reach: life.reach,
      owner: life.owner,
      renewKeys: async () => {},
      log: life.log,
    }),
    egress: {
      guard,
      fetch: () => Promise.reject(new Error("the simulated shop is not fetched")),
      sendOnce: (request, mayLeave) => life.shop.sendOnce(request, mayLeave),
    },
    delegation: { jwks: { keys: [] }, tokenFor: async () => err("not_an_audience") },
    identities: new Map(),
    channels: [],
    now,
    newId: life.newId,
    log: life.log,
    poke: () => {},
    steps: createStepEnds(),
    reach: life.reach,
  };
}

/** Keeps all rows as they are now, and puts them back when asked. */
function rememberer(raw: Raw): () => void {
  const names = childrenFirst(raw);
  const kept = names.toReversed().flatMap((name) => {
    const rows = raw.prepare(`select * from "${name}"`).all();
    const [first] = rows;
    if (first === undefined) return [];
    const columns = Object.keys(first);
    const insert = raw.prepare(
      `insert into "${name}" (${columns.map((c) => `"${c}"`).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    );
    return [{ insert, rows: rows.map((row) => columns.map((c) => row[c] ?? null)) }];
  });
  const clear = names.map((name) => raw.prepare(`delete from "${name}"`));
  return () => {
    raw.exec("begin");
    for (const statement of clear) statement.run();
    for (const { insert, rows } of kept) for (const row of rows) insert.run(...row);
    raw.exec("commit");
  };
}

/** All tables, none before one that refers to it. (A pragma that lifts the keys would cost every prepared statement.) */
function childrenFirst(raw: Raw): readonly string[] {
  const names = raw
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all()
    .map((row) => String(row["name"]));
  const parents = new Map(
    names.map((name) => [
      name,
      raw
        .prepare(`pragma foreign_key_list("${name}")`)
        .all()
        .map((row) => String(row["table"])),
    ]),
  );
  const parentsFirst: string[] = [];
  const add = (name: string): void => {
    if (parentsFirst.includes(name)) return;
    for (const parent of parents.get(name) ?? []) if (parent !== name) add(parent);
    parentsFirst.push(name);
  };
  for (const name of names) add(name);
  return parentsFirst.toReversed();
}

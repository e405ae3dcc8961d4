import { createLog, startGateway } from "@countersign/gateway";
import { OPERATIONS, PROFILE_ID } from "@countersign/profile";
import { assert, formatInstant, instant, secret } from "@countersign/wire";
import { type Caller, caller } from "../../../packages/gateway/src/admission/caller.ts";
import { addAccount, connect } from "../../../packages/gateway/src/connection/accounts.ts";
import type { Core, Owner } from "../../../packages/gateway/src/core.ts";
import type { GatewayPort } from "../../../packages/gateway/src/port.ts";
import { createPort } from "../../../packages/gateway/src/port-impl.ts";
import { freePort } from "../scratch.ts";
import { createInstantSite, DESTINATION, FULFILLMENT_REF, type InstantSite, ORIGIN } from "./instant-site.ts";
import { type Watch, watchTasks } from "./watch.ts";

const HOURS_24_MS = 24 * 3_600_000;

/** One agent with one account and one grant. */
export interface Seat {
  readonly caller: Caller;
  readonly accountRef: string;
  readonly consentRef: string;
}

export interface LifeWorld {
  readonly core: Core;
  readonly owner: Owner;
  readonly port: GatewayPort;
  readonly site: InstantSite;
  readonly watch: Watch;
  addSeats(count: number): Promise<readonly Seat[]>;
  close(): Promise<void>;
}

export interface LifeWorldOptions {
  readonly dataDir: string;
  /** PostgreSQL; the embedded store without it. */
  readonly databaseUrl?: string;
}

/** A whole gateway with a destination that takes no time; agents and people call its own functions, not HTTP. */
export async function openLifeWorld(options: LifeWorldOptions): Promise<LifeWorld> {
  let watch: Watch | undefined;
  const site = createInstantSite((taskId) => watch?.near(taskId));
  const started = await startGateway({
    dataDir: options.dataDir,
    issuer: `http://localhost:${await freePort()}`,
    destinations: [{ id: DESTINATION, site: DESTINATION, origin: ORIGIN }],
    sites: [site.site],
    operations: OPERATIONS,
    approvals: { "retail.order.submit": "session" },
    routes: () => [site.route],
    egress: (guard) => ({
      guard,
      fetch: () => Promise.reject(new Error("nothing is fetched here")),
      sendOnce: site.sendOnce,
    }),
    log: createLog("error"),
    env: {},
    ...(options.databaseUrl === undefined ? {} : { database: secret(options.databaseUrl) }),
  });
  assert(started.ok, `the gateway starts: ${started.ok ? "" : started.reason.kind}`);
  const { core, owner } = started.value;
  const watching = watchTasks(core);
  watch = watching;
  const nobody = { verifyAccessToken: async () => ({ ok: false as const, reason: "malformed" as const }) };
  return {
    core,
    owner,
    port: createPort(core, nobody as never),
    site,
    watch: watching,
    addSeats: async (count) => {
      const seats: Seat[] = [];
      for (let i = 0; i < count; i++) seats.push(await core.store.as("system", () => addSeat(core, owner)));
      return seats;
    },
    async close() {
      watching.close();
      await started.value.stop();
    },
  };
}

async function addSeat(core: Core, owner: Owner): Promise<Seat> {
  return core.store.transaction(async (tx) => {
    const now = core.now();
    const clientId = core.newId("agent");
    const account = await addAccount(core, tx, owner, DESTINATION);
    const verified = { identity: { name: "Ada", details: [] }, material: secret("{}") };
    await connect(core, tx, account, "http", verified);
    await tx
      .insertInto("agent")
      .values({
        client_id: clientId,
        tenant_id: owner.tenantId,
        person_id: owner.personId,
        name: "Bench",
        state: "accepted",
        grant_id: null,
        credential_ref: null,
        created_at: now,
        decided_at: now,
      })
      .execute();
    const consentRef = core.newId("cons");
    const scope = JSON.stringify({
      operations: ["retail.order.submit"],
      routes: ["http"],
      limits: {},
      expires_at: formatInstant(instant(now + HOURS_24_MS)),
    });
    await tx
      .insertInto("consent")
      .values({
        consent_ref: consentRef,
        tenant_id: owner.tenantId,
        person_id: owner.personId,
        client_id: clientId,
        destination: DESTINATION,
        account_ref: account.account_ref,
        state: "granted",
        asked: scope,
        granted: scope,
        purpose: "measure",
        requested_at: now,
        decided_at: now,
        revoked_at: null,
        expires_at: now + HOURS_24_MS,
      })
      .execute();
    return { caller: caller({ ...owner, clientId }), accountRef: account.account_ref, consentRef };
  });
}

const MAX_TOTAL_MINOR = 6_000;
let orders = 0;

/** Each order is another wish: equal ones would wait for one another (STA-7). */
export function orderBytes(core: Core, seat: Seat): Uint8Array {
  const request = {
    profile: PROFILE_ID,
    request_id: core.newId("req"),
    idempotency_key: core.newId("key"),
    account_ref: seat.accountRef,
    consent_ref: seat.consentRef,
    operation: "retail.order.submit",
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: MAX_TOTAL_MINOR + orders++,
      currency: "EUR",
      fulfillment_ref: FULFILLMENT_REF,
    },
    expires_at: formatInstant(instant(core.now() + 3_600_000)),
  };
  return new TextEncoder().encode(JSON.stringify(request));
}

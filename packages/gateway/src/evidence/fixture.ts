import { randomBytes } from "node:crypto";
import { digestOfText, type Instant, type JsonObject, secret } from "@countersign/wire";
import { opened, PLACES } from "../store/fixture.ts";
import type { Store, StoreWhere } from "../store/store.ts";
import { createSealer, type Sealer } from "../vault/seal.ts";
import { type EvidenceKeys, loadEvidenceKeys } from "./keys.ts";
import { insertSignedLeaf, insertUnsignedLeaf } from "./log/leaf.ts";
import { renewKeys } from "./rotate.ts";
import { createSequencer, type Sequencer, type SequencerDeps } from "./sequencer.ts";

// What the tests of this folder share; nothing outside tests imports it.

export const ISSUER = "https://gateway.example";

export interface LogFixture {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly keys: EvidenceKeys;
  readonly clock: { now: number };
  readonly keyDeps: {
    readonly store: Store;
    readonly sealer: Sealer;
    readonly issuer: string;
    readonly now: () => Instant;
  };
  /** Events that processes logged as errors. */
  readonly errors: readonly string[];
  /** Another process on the same store. */
  process(owner: string, reach?: SequencerDeps["reach"]): Promise<Sequencer>;
  receipt(accountRef: string, name: string): Promise<void>;
  approval(name: string): Promise<void>;
  close(): Promise<void>;
}

/** A log on a store of either kind. What the tests do to it they do as the gateway itself: `store.as("system", ..)`. */
export async function logFixture(kind: StoreWhere["kind"]): Promise<LogFixture> {
  const errors: string[] = [];
  const log = { error: (event: string) => void errors.push(event) };
  const clock = { now: Date.UTC(2031, 4, 1, 12) };
  const place = await PLACES[kind]();
  const store = await opened(place.where);
  const sealer = createSealer(secret(Uint8Array.from(randomBytes(32))));
  const keyDeps = { store, sealer, issuer: ISSUER, now: () => clock.now as Instant };
  const keys = await store.as("system", () => loadEvidenceKeys(keyDeps));
  return {
    store,
    sealer,
    keys,
    clock,
    keyDeps,
    errors,
    async process(owner, reach = () => {}) {
      const own = await loadEvidenceKeys(keyDeps);
      return createSequencer({ ...keyDeps, keys: own, owner, reach, renewKeys: () => renewKeys(keyDeps), log });
    },
    receipt: (accountRef, name) =>
      store.transaction((tx) =>
        insertUnsignedLeaf(tx, {
          kind: "receipt",
          recordId: `rcp_${name}`,
          createdAt: clock.now,
          tenantId: "ten_1",
          accountRef,
          taskId: `task_${name}`,
          payload: JSON.stringify(receiptPayload(accountRef, name, clock.now)),
        }),
      ),
    async approval(name) {
      const jws = await keys.sign("approval", "approval", await approvalPayload(name, clock.now));
      await store.transaction((tx) =>
        insertSignedLeaf(tx, { kind: "approval", recordId: `apr_${name}`, createdAt: clock.now, jws }),
      );
    },
    async close() {
      await store.close();
      await place.remove();
    },
  };
}

const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function receiptPayload(accountRef: string, name: string, now: number): JsonObject {
  return {
    typ: "countersign.receipt/1",
    issuer: ISSUER,
    source: "gateway",
    receipt_id: `rcp_${name}`,
    task_id: `task_${name}`,
    operation: "retail.orders.list",
    account_ref: accountRef,
    outcome: "succeeded",
    finished_at: time(now),
    evidence: [],
    merchant_records: [],
  };
}

async function approvalPayload(name: string, now: number): Promise<JsonObject> {
  const digest = await digestOfText(name);
  return {
    typ: "countersign.approval/1",
    issuer: ISSUER,
    approval_ref: `apr_${name}`,
    task_id: `task_${name}`,
    action_id: `act_${name}`,
    action_digest: digest,
    account_holder: "psn_1",
    decision: "approved",
    decided_at: time(now),
    commit_before: time(now + 60_000),
    uses: 1,
    surface: { id: "approval-page", version: "1", display_digest: digest },
    auth: { method: "session", uv: false },
  };
}

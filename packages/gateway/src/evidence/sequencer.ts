import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@countersign/plugin";
import { AssertionFailed, digestOfText, type Instant } from "@countersign/wire";
import { type RawBuilder, sql } from "kysely";
import type { Core } from "../core.ts";
import { CHECKPOINT_EVERY_MS, LOG_BATCH, LOG_WAIT_MS } from "../limits.ts";
import type { Point } from "../points.ts";
import type { Db, Store, Tx } from "../store/store.ts";
import type { EvidenceKeys, KeyView } from "./keys.ts";
import { checkpointPayload, latestCheckpoint } from "./log/checkpoints.ts";
import { confirmTurn, TURN_MS, type Turn, TurnLost, takeTurn } from "./log/lease.ts";
import { insertNodes, readPeaks } from "./log/nodes.ts";
import { type Grown, grow, hashLeaf, type Peak } from "./log/tree.ts";
import {
  isReadable,
  type LeafRow,
  type NumberedLeaf,
  numbered,
  type SignedLeaf,
  waitingLeaves,
} from "./log/waiting.ts";

export { storedRecord } from "./stored-record.ts";

/**
 * Gives every leaf its place in the log: signs receipts in log order and numbers them per account (REC-4), appends to
 * the tree, signs a checkpoint. One process at a time does so, and a batch is one transaction: a crash at any moment
 * leaves the log as it was, and what was signed but not stored has never been seen by anybody.
 */
export interface Sequencer {
  /** Logs a batch of what waits. The number of leaves that got their place; 0 when there are none or another is busy. */
  run(): Promise<number>;
  /** Waits until a record has its place, doing the work itself where nobody else is. */
  hasLogged(recordId: string): Promise<boolean>;
}

export interface SequencerDeps {
  readonly store: Store;
  readonly keys: EvidenceKeys;
  readonly issuer: string;
  readonly now: () => Instant;
  readonly reach: (point: Point) => Promise<void> | void;
  /** Names this process in the lease. */
  readonly owner: string;
  /** Replaces keys that come to their end; called now and then by the process that has the log. */
  readonly renewKeys: () => Promise<void>;
  readonly log: Pick<Log, "error">;
}

/** The log as this process left it; worth something only while its turn lasts. */
interface Edge {
  readonly turn: Turn;
  readonly size: number;
  readonly peaks: readonly Peak[];
  readonly root: Uint8Array | undefined;
  readonly checkpointAt: number;
}

const TRIES = 3;
const WAIT_STEP_MS = 25;

export function createSequencer(deps: SequencerDeps): Sequencer {
  const { store } = deps;
  let edge: Edge | undefined;
  let running: Promise<number> | undefined;
  let idleUntil = 0;
  let renewAt = 0;
  /** Leaves that cannot be signed: they keep their rows and spend no number, and nobody else waits for them. */
  const aside = new Set<number>();

  const setAside = (leafId: number, recordId: string): void => {
    aside.add(leafId);
    deps.log.error("log.leaf_set_aside", { leaf: leafId, record: recordId });
  };

  const waitingNow = async (): Promise<readonly LeafRow[]> => {
    for (;;) {
      const rows = await waitingLeaves(store.db, LOG_BATCH, aside);
      const unreadable = rows.filter((row) => !isReadable(row));
      if (unreadable.length === 0) return rows;
      for (const row of unreadable) setAside(row.leaf_id, row.record_id);
    }
  };

  /** Signs what can be signed. What is set aside on the way has no number, so the others are numbered anew. */
  const signAll = async (keys: KeyView, waiting: readonly LeafRow[]): Promise<readonly SignedLeaf[]> => {
    for (;;) {
      const rows = waiting.filter((row) => !aside.has(row.leaf_id));
      const leaves = await numbered(store.db, rows);
      const signed = await Promise.all(leaves.map((leaf) => sign(keys, leaf)));
      const done = signed.filter((leaf) => leaf !== "unsignable");
      if (done.length === signed.length) return done;
      for (const [at, row] of rows.entries()) if (signed[at] === "unsignable") setAside(row.leaf_id, row.record_id);
    }
  };

  const turn = async (): Promise<number> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await batch();
      } catch (error) {
        edge = undefined;
        if (!(error instanceof TurnLost) || tries >= TRIES) throw error;
      }
    }
  };

  const batch = async (): Promise<number> => {
    const now = deps.now();
    let waiting = await waitingNow();
    if (waiting.length === 0 && now < idleUntil) return 0;
    if (waiting.length === 0 && !(await checkpointDue(store.db, now))) {
      idleUntil = now + IDLE_LOOK_MS;
      return 0;
    }
    if (edge === undefined) {
      edge = await takeOver();
      // What waited before may have got its place from whoever had the log until now.
      waiting = await waitingNow();
    }
    if (edge === undefined) return 0;
    if (now >= renewAt) {
      await deps.renewKeys();
      // With other keys one that was set aside may be signed after all.
      if (renewAt > 0) aside.clear();
      renewAt = now + CHECKPOINT_EVERY_MS;
      // A new key set has its place before anything that its keys sign.
      waiting = await waitingNow();
    }
    if (waiting.length === 0 && now - edge.checkpointAt < CHECKPOINT_EVERY_MS) return 0;
    await deps.reach("receipt.before_sign");
    const keys = await deps.keys.current();
    const signed = await signAll(keys, waiting);
    if (signed.length === 0 && now - edge.checkpointAt < CHECKPOINT_EVERY_MS) return 0;
    const grown: Grown =
      signed.length === 0 && edge.root !== undefined
        ? { peaks: edge.peaks, nodes: [], root: edge.root }
        : grow(
            edge.size,
            edge.peaks,
            signed.map((leaf) => hashLeaf(leaf.kind, leaf.digest)),
          );
    const size = edge.size + signed.length;
    const payload = checkpointPayload(deps.issuer, size, grown.root, now);
    const checkpoint = await keys.sign("log", "checkpoint", payload);
    await deps.reach("receipt.signed");
    const held = edge;
    // Where more waits the turn goes on; else the log is free for whoever has the next leaf.
    const until = waiting.length === LOG_BATCH ? deps.now() + TURN_MS : deps.now();
    await store.transaction(async (tx) => {
      await confirmTurn(tx, held.turn, until);
      await storePlaces(tx, signed, held.size, now);
      await insertNodes(tx, grown.nodes);
      await tx.insertInto("log_checkpoint").values({ size, root: grown.root, time: now, jws: checkpoint }).execute();
    });
    edge = { turn: held.turn, size, peaks: grown.peaks, root: grown.root, checkpointAt: now };
    await deps.reach("receipt.logged");
    return signed.length;
  };

  const takeOver = async (): Promise<Edge | undefined> => {
    const taken = await takeTurn(store, deps.owner, deps.now());
    if (taken === undefined) return undefined;
    const latest = await latestCheckpoint(store.db);
    const size = latest?.size ?? 0;
    const peaks = size === 0 ? [] : await readPeaks(store.db, size);
    return { turn: taken, size, peaks, root: latest?.root, checkpointAt: latest?.time ?? 0 };
  };

  const run = (): Promise<number> => {
    running ??= store.as("system", turn).finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    run,
    async hasLogged(recordId) {
      const give = deps.now() + LOG_WAIT_MS;
      for (;;) {
        if (await store.as("system", () => isLogged(store.db, recordId))) return true;
        if (deps.now() >= give) return false;
        // A run that had begun before may have missed the leaf: the next one does not.
        await running;
        if ((await run()) === 0) await sleep(WAIT_STEP_MS);
      }
    },
  };
}

/** A payload that no key of ours may sign is one leaf's trouble; any other failure is the whole batch's. */
async function sign(keys: KeyView, leaf: NumberedLeaf): Promise<SignedLeaf | "unsignable"> {
  const jws =
    leaf.jws ??
    (await keys.sign(leaf.role, leaf.kind, leaf.payload).catch((error: unknown) => {
      if (error instanceof AssertionFailed) return undefined;
      throw error;
    }));
  if (jws === undefined) return "unsignable";
  return { leafId: leaf.leafId, kind: leaf.kind, accountSeq: leaf.accountSeq, jws, digest: await digestOfText(jws) };
}

/** One batch, for the loop that looks for due work. */
export function sequence(core: Pick<Core, "sequencer">): Promise<number> {
  return core.sequencer.run();
}

/** How long a process without leaves trusts that no checkpoint is due. */
const IDLE_LOOK_MS = 60_000;

async function checkpointDue(db: Db, now: number): Promise<boolean> {
  const latest = await latestCheckpoint(db);
  return latest !== undefined && now - latest.time >= CHECKPOINT_EVERY_MS;
}

/** Whether a record has its place in the log. */
export async function isLogged(db: Db, recordId: string): Promise<boolean> {
  const row = await db.selectFrom("leaf").select("log_index").where("record_id", "=", recordId).executeTakeFirst();
  return row !== undefined && row.log_index !== null;
}

async function storePlaces(tx: Tx, leaves: readonly SignedLeaf[], size: number, now: number): Promise<void> {
  if (leaves.length === 0) return;
  const rows = leaves.map(
    ({ leafId, jws, digest, accountSeq }, at): RawBuilder<unknown> =>
      sql`(cast(${leafId} as bigint), cast(${jws} as text), cast(${digest} as text), cast(${accountSeq} as bigint), cast(${size + at} as bigint))`,
  );
  const { numAffectedRows } = await sql`
    with place (leaf_id, jws, digest, account_seq, log_index) as (values ${sql.join(rows)})
    update leaf set jws = place.jws, digest = place.digest, account_seq = place.account_seq,
      log_index = place.log_index, sequenced_at = ${now}
    from place where leaf.leaf_id = place.leaf_id and leaf.log_index is null`.execute(tx);
  // Somebody with the same fence has placed one of them: the batch would leave a hole.
  if (numAffectedRows !== BigInt(leaves.length)) throw new TurnLost();
}

import type { Core } from "../core.ts";
import { NOTICE_LEASE_MS, NOTICES_AT_ONCE_MAX, NOTICES_PER_HOUR_MAX } from "../limits.ts";
import type { Tx } from "../store/store.ts";
import type { Message } from "./channels/channel.ts";
import { receiverOf } from "./contact-rows.ts";
import { type Facts, factsOf } from "./facts.ts";
import { CHANNELS, type ChannelName, isNoticeKind, type Urgency } from "./kinds.ts";
import { wordsFor, wordsForMany } from "./words.ts";

const HOUR_MS = 3_600_000;

/** A message on its way, under this process's lease. */
export interface Claimed {
  readonly channel: ChannelName;
  readonly message: Message;
  readonly to: string | undefined;
  /** The try that this is, of its oldest notice. */
  readonly tries: number;
}

interface Due {
  readonly notice_id: string;
  readonly channel: string;
  readonly tenant_id: string;
  readonly person_id: string;
  readonly urgency: Urgency;
  readonly tries: number;
  readonly deferred: number;
  readonly message_id: string | null;
  readonly kind: string;
  readonly ref: string;
  readonly created_at: number;
}

type Group = Pick<Due, "channel" | "person_id" | "urgency">;

/**
 * Takes the next message that is due, under a lease. One message a person, channel and urgency is on its way at a time,
 * so that no two gateways count the same hour. Undefined when nothing is due.
 */
export async function claimNext(core: Core, tx: Tx, owner: string): Promise<Claimed | undefined> {
  for (const rows of await dueGroups(core, tx)) {
    const claimed = await claimGroup(core, tx, owner, rows);
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}

async function dueGroups(core: Core, tx: Tx): Promise<readonly (readonly [Due, ...Due[]])[]> {
  const now = core.now();
  const due = await tx
    .selectFrom("notice_delivery")
    .innerJoin("notice", "notice.notice_id", "notice_delivery.notice_id")
    .select(["notice_delivery.notice_id", "channel", "notice_delivery.tenant_id", "notice_delivery.person_id"])
    .select(["urgency", "tries", "deferred", "message_id", "notice.kind", "notice.ref", "notice.created_at"])
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .where((w) => w.or([w("lease_until", "is", null), w("lease_until", "<=", now)]))
    .where("channel", "in", core.channels)
    .orderBy("urgency")
    .orderBy("notice.created_at")
    .orderBy("notice_delivery.notice_id")
    .limit(NOTICES_AT_ONCE_MAX)
    .execute();
  const groups = new Map<string, [Due, ...Due[]]>();
  for (const row of due) {
    const key = `${row.channel} ${row.person_id} ${row.urgency}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

async function claimGroup(
  core: Core,
  tx: Tx,
  owner: string,
  rows: readonly [Due, ...Due[]],
): Promise<Claimed | undefined> {
  const [group] = rows;
  if (await isOneOnItsWay(core, tx, group)) return undefined;
  const live: (readonly [Due, Facts])[] = [];
  for (const row of rows) {
    const facts = await factsOf(core, tx, row);
    if (facts === undefined) await drop(core, tx, row);
    else live.push([row, facts]);
  }
  const [first] = live;
  if (first === undefined) return undefined;
  const to = await receiverOf(core, tx, first[0]);
  if (to === undefined && group.channel === "email") {
    // Nobody has said where to: that is no failure, and a later address is not flooded with what was before it.
    for (const [row] of live) await drop(core, tx, { ...row, tries: 0 });
    return undefined;
  }
  const sent = await sentTimes(core, tx, group);
  if (sent.length > NOTICES_PER_HOUR_MAX) {
    await defer(
      tx,
      live.map(([row]) => row),
      Math.min(...sent) + HOUR_MS,
    );
    return undefined;
  }
  const isMany = live.length > 1 && (sent.length === NOTICES_PER_HOUR_MAX || live.some(([row]) => row.deferred === 1));
  const taken = isMany ? live : [first];
  const message = makeMessage(core, taken);
  await lease(
    core,
    tx,
    owner,
    message.id,
    taken.map(([row]) => row),
  );
  const channel = CHANNELS.find((name) => name === group.channel);
  if (channel === undefined) return undefined;
  return { channel, message, to, tries: first[0].tries + 1 };
}

function makeMessage(core: Core, taken: readonly (readonly [Due, Facts])[]): Message {
  const [row, facts] = taken[0] ?? [];
  if (row === undefined || facts === undefined || !isNoticeKind(row.kind))
    throw new Error("a message is about something");
  const words =
    taken.length === 1
      ? wordsFor(facts, core)
      : wordsForMany(
          taken.map(([, one]) => one),
          core,
        );
  // A try that is repeated as it was keeps its id; what another set of notices makes is another message.
  const isSame = row.message_id !== null && taken.every(([one]) => one.message_id === row.message_id);
  return {
    id: isSame && row.message_id !== null ? row.message_id : core.newId("msg"),
    kind: taken.length === 1 ? row.kind : "several",
    personId: row.person_id,
    ...words,
    url: `${core.issuer}${taken.length === 1 ? facts.path : "/"}`,
    createdAt: row.created_at,
    ...(taken.length === 1 && facts.expiresAt !== undefined ? { expiresAt: facts.expiresAt } : {}),
  };
}

async function isOneOnItsWay(core: Core, tx: Tx, group: Group): Promise<boolean> {
  const row = await inGroup(tx, group)
    .select("notice_id")
    .where("state", "=", "waiting")
    .where("lease_until", ">", core.now())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When each message of the last hour went out. */
async function sentTimes(core: Core, tx: Tx, group: Group): Promise<readonly number[]> {
  const rows = await inGroup(tx, group)
    .select(({ fn }) => fn.min<number>("settled_at").as("at"))
    .where("state", "=", "sent")
    .where("settled_at", ">", core.now() - HOUR_MS)
    .groupBy("message_id")
    .execute();
  return rows.map((row) => Number(row.at));
}

function inGroup(tx: Tx, { channel, person_id, urgency }: Group) {
  return tx
    .selectFrom("notice_delivery")
    .where("person_id", "=", person_id)
    .where("channel", "=", channel)
    .where("urgency", "=", urgency);
}

async function lease(core: Core, tx: Tx, owner: string, messageId: string, rows: readonly Due[]): Promise<void> {
  for (const row of rows) {
    await tx
      .updateTable("notice_delivery")
      .set({
        message_id: messageId,
        lease_owner: owner,
        lease_until: core.now() + NOTICE_LEASE_MS,
        tries: row.tries + 1,
      })
      .where("notice_id", "=", row.notice_id)
      .where("channel", "=", row.channel)
      .execute();
  }
}

/** Until the hour has room again; then all of them are one message. */
async function defer(tx: Tx, rows: readonly Due[], until: number): Promise<void> {
  for (const row of rows) {
    await tx
      .updateTable("notice_delivery")
      .set({ due_at: until, deferred: 1 })
      .where("notice_id", "=", row.notice_id)
      .where("channel", "=", row.channel)
      .execute();
  }
}

/** It does not matter any more. One that was tried in vain until then has failed to reach the person. */
async function drop(core: Core, tx: Tx, row: Due): Promise<void> {
  const isFailure = row.tries > 0;
  if (isFailure) core.log.warn("notice.too_late", { channel: row.channel, kind: row.kind, tries: row.tries });
  await tx
    .updateTable("notice_delivery")
    .set({
      state: isFailure ? "gave_up" : "dropped",
      settled_at: core.now(),
      ...(isFailure ? { problem: "too_late" } : {}),
      lease_owner: null,
      lease_until: null,
    })
    .where("notice_id", "=", row.notice_id)
    .where("channel", "=", row.channel)
    .execute();
}

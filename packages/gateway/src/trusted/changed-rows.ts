import { sql } from "kysely";
import type { Owner } from "../core.ts";
import { lives } from "../people/sessions.ts";
import type { Db } from "../store/store.ts";
import { CHANGE_KINDS, type ChangeKind } from "./change-kinds.ts";

/** More new rows than this in one look, and everybody is told instead of the ones concerned. */
const NEW_ROWS_MAX = 1_000;
/**
 * On PostgreSQL a row may become visible after one with a higher number: so many numbers back are read again, and those
 * that were seen are left out.
 */
const LOOK_BACK = 256;

export interface Cursors {
  /** Whose tasks have an event or a signed record since the last call; `many` when it is too much to tell. */
  read(db: Db): Promise<ReadonlySet<string> | "many">;
}

export interface CursorStart {
  readonly event: number;
  readonly place: number;
}

/** Where the two numberings stand now: what is there already is no change. */
export async function newestCursors(db: Db): Promise<CursorStart> {
  const event = await db.selectFrom("task_event").select("event_id").orderBy("event_id", "desc").limit(1).execute();
  const place = await db
    .selectFrom("leaf")
    .select("log_index")
    .where("log_index", "is not", null)
    .orderBy("log_index", "desc")
    .limit(1)
    .execute();
  return { event: Number(event[0]?.event_id ?? 0), place: Number(place[0]?.log_index ?? -1) };
}

/**
 * Follows two things that only grow: the numbered events of tasks, which every transition and every progress note writes
 * in its own transaction, and the places in the log, which the sequencer gives one after another when a receipt is
 * signed. So a look costs what is new, not what there is.
 */
export function createCursors(start: CursorStart = { event: 0, place: -1 }): Cursors {
  let { event, place } = start;
  let behind: ReadonlySet<number> | undefined;
  return {
    async read(db) {
      const from = Math.max(0, event - LOOK_BACK);
      const events = await db
        .selectFrom("task_event")
        .innerJoin("task", "task.task_id", "task_event.task_id")
        .select(["task_event.event_id", "task.person_id"])
        .where("task_event.event_id", ">", from)
        .orderBy("task_event.event_id")
        .limit(NEW_ROWS_MAX)
        .execute();
      const places = await db
        .selectFrom("leaf")
        .leftJoin("task", "task.task_id", "leaf.task_id")
        .select(["leaf.log_index", "task.person_id"])
        .where("leaf.log_index", ">", place)
        .orderBy("leaf.log_index")
        .limit(NEW_ROWS_MAX)
        .execute();
      place = Number(places.at(-1)?.log_index ?? place);
      if (events.length === NEW_ROWS_MAX || places.length === NEW_ROWS_MAX) {
        ({ event, place } = await newestCursors(db));
        behind = undefined;
        return "many";
      }
      const before = behind;
      const floor = event;
      // At the first look, what the look back finds was there when it began.
      const isNew = (id: number) => id > floor || (before !== undefined && !before.has(id));
      const people = new Set<string>();
      for (const row of events) if (isNew(Number(row.event_id))) people.add(row.person_id);
      for (const row of places) if (row.person_id !== null) people.add(row.person_id);
      behind = new Set(events.map((row) => Number(row.event_id)));
      event = Math.max(floor, Number(events.at(-1)?.event_id ?? 0));
      return people;
    },
  };
}

/** What a person's grants, accounts and agents amount to, one short text a kind: another text, and something changed. */
export async function fingerprintsOf(db: Db, owner: Owner): Promise<ReadonlyMap<ChangeKind, string>> {
  const { tenantId, personId } = owner;
  const mine = sql`tenant_id = ${tenantId} and person_id = ${personId}`;
  const ofAccounts = sql`account_ref in (select account_ref from account where ${mine})`;
  const { rows } = await sql<{ readonly kind: string } & Readonly<Record<"a" | "b" | "c" | "d" | "e", unknown>>>`
    select 'agents' as kind, count(*) as a, max(created_at) as b, max(decided_at) as c, 0 as d, 0 as e
      from agent where ${mine}
    union all select 'consents', count(*), max(requested_at), max(decided_at), max(revoked_at), sum(length(granted))
      from consent where ${mine}
    union all select 'accounts', count(*), max(created_at), sum(length(name)), 0, 0 from account where ${mine}
    union all select 'accounts', count(*), max(updated_at), 0, 0, 1 from connection where ${ofAccounts}
    union all select 'accounts', count(*), max(created_at), 0, 0, 2 from account_detail where ${ofAccounts}
  `.execute(db);
  return new Map(
    CHANGE_KINDS.filter((kind) => kind !== "tasks").map((kind) => [
      kind,
      rows
        .filter((row) => row.kind === kind)
        .map(({ a, b, c, d, e }) => [a, b, c, d, e].map(String).join(","))
        .toSorted()
        .join(";"),
    ]),
  );
}

/** Which of these sessions are not over. */
export async function livingSessions(db: Db, hashes: readonly string[], now: number): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .selectFrom("person_session")
    .select(["session_hash", "created_at", "expires_at", "last_seen_at"])
    .where("session_hash", "in", hashes)
    .execute();
  return new Set(rows.filter((row) => lives(row, now)).map((row) => row.session_hash));
}

import type { Operation } from "@countersign/profile";
import { currencyDigits, formatMoney, type JsonObject } from "@countersign/wire";
import type { Core } from "../core.ts";
import { NOTICE_SECURITY_LIFE_MS } from "../limits.ts";
import type { Db } from "../store/store.ts";
import { openText } from "../vault/seal.ts";
import { contactByRef } from "./contact-rows.ts";
import { isNoticeKind, NOTICES, type NoticeKind } from "./kinds.ts";
import { termLines } from "./plain.ts";

export interface NoticeRow {
  readonly notice_id: string;
  readonly tenant_id: string;
  readonly person_id: string;
  readonly kind: string;
  readonly ref: string;
  readonly created_at: number;
}

/** Where a warning leads. */
const WHERE_TO_LOOK: Readonly<Partial<Record<NoticeKind, string>>> = {
  passkey_added: "/passkeys",
  recovery_used: "/passkeys",
  signed_in: "/passkeys",
  authority_enrolled: "/authorities",
  sign_in_tries_low: "/accounts",
  contact_changed: "/contact",
};

type WaitingKind = Extract<NoticeKind, "approval" | "consent" | "sign_in" | "verification" | "review" | "agent">;

/** What a message may say. Whatever is not `title`, `amount` or `code` was written by a site, an agent or the person. */
export interface Facts {
  readonly kind: NoticeKind;
  /** A path of the console. */
  readonly path: string;
  readonly expiresAt?: number;
  /** The operation's, from the catalogue. */
  readonly title?: string;
  readonly amount?: string;
  readonly place?: string;
  readonly agent?: string;
  readonly account?: string;
  /** The terms as lines of the one renderer, without anything personal. */
  readonly terms?: readonly string[];
  readonly code?: string;
}

/** What there is to say now; undefined when it does not matter any more: decided, run out, withdrawn. */
export async function factsOf(core: Core, db: Db, row: NoticeRow): Promise<Facts | undefined> {
  if (!isNoticeKind(row.kind)) return undefined;
  const { kind } = row;
  if (kind === "contact_code") return codeFacts(core, db, row);
  if (NOTICES[kind] === "waiting") return READERS[kind as WaitingKind](core, db, row);
  if (core.now() - row.created_at > NOTICE_SECURITY_LIFE_MS) return undefined;
  return { kind, path: kind === "tried_elsewhere" ? `/continuations/${row.ref}` : (WHERE_TO_LOOK[kind] ?? "/") };
}

const READERS: Readonly<Record<WaitingKind, (core: Core, db: Db, row: NoticeRow) => Promise<Facts | undefined>>> = {
  async approval(core, db, { ref }) {
    const row = await db
      .selectFrom("action")
      .innerJoin("task", "task.task_id", "action.task_id")
      .innerJoin("agent", "agent.client_id", "task.client_id")
      .innerJoin("account", "account.account_ref", "task.account_ref")
      .select(["action.record", "action.expires_at", "task.operation"])
      .select(["agent.name as agent", "account.name as account", "account.destination"])
      .where("action.action_id", "=", ref)
      .where("action.status", "=", "pending")
      .where("task.state", "=", "approval_required")
      .where("action.expires_at", ">", core.now())
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      kind: "approval",
      path: `/approvals/${ref}`,
      expiresAt: row.expires_at,
      agent: row.agent,
      account: row.account,
      place: placeOf(core, row.destination),
      ...termsOf(core.catalogue.get(row.operation), row.record),
    };
  },
  async consent(core, db, { ref }) {
    const row = await db
      .selectFrom("consent")
      .innerJoin("agent", "agent.client_id", "consent.client_id")
      .select(["consent.destination", "agent.name as agent"])
      .where("consent_ref", "=", ref)
      .where("consent.state", "=", "requested")
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return { kind: "consent", path: `/consents/${ref}`, agent: row.agent, place: placeOf(core, row.destination) };
  },
  sign_in: (core, db, row) => handOffFacts(core, db, row, "sign_in"),
  verification: (core, db, row) => handOffFacts(core, db, row, "verification"),
  async review(core, db, { ref }) {
    const row = await db
      .selectFrom("task")
      .innerJoin("agent", "agent.client_id", "task.client_id")
      .select(["operation", "agent.name as agent"])
      .where("task_id", "=", ref)
      .where("review_at", "is not", null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return { kind: "review", path: `/tasks/${ref}`, title: titleOf(core, row.operation), agent: row.agent };
  },
  async agent(_core, db, { ref }) {
    const row = await db
      .selectFrom("agent")
      .select("name")
      .where("client_id", "=", ref)
      .where("state", "=", "requested")
      .executeTakeFirst();
    return row === undefined ? undefined : { kind: "agent", path: `/agents/${ref}`, agent: row.name };
  },
};

/** A hand-off that nobody has begun: who has, is there already. */
async function handOffFacts(
  core: Core,
  db: Db,
  { ref }: NoticeRow,
  kind: "sign_in" | "verification",
): Promise<Facts | undefined> {
  const row = await db
    .selectFrom("continuation")
    .innerJoin("task", "task.continuation_ref", "continuation.continuation_ref")
    .innerJoin("agent", "agent.client_id", "task.client_id")
    .innerJoin("account", "account.account_ref", "continuation.account_ref")
    .select(["continuation.expires_at", "task.operation", "agent.name as agent"])
    .select(["account.name as account", "account.destination"])
    .where("continuation.continuation_ref", "=", ref)
    .where("completed_at", "is", null)
    .where("begun_at", "is", null)
    .where("continuation.expires_at", ">", core.now())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    kind,
    path: `/continuations/${ref}`,
    expiresAt: row.expires_at,
    title: titleOf(core, row.operation),
    agent: row.agent,
    account: row.account,
    place: placeOf(core, row.destination),
  };
}

async function codeFacts(core: Core, db: Db, { ref }: NoticeRow): Promise<Facts | undefined> {
  const row = await contactByRef(db, ref);
  if (row?.state !== "pending" || row.code === null || core.now() >= (row.expires_at ?? 0)) return undefined;
  return { kind: "contact_code", path: "/contact", code: openText(core.sealer, `contact_code:${ref}`, row.code) };
}

function termsOf(operation: Operation | undefined, json: string): Partial<Facts> {
  if (operation?.effect !== "commit") return {};
  const { terms } = JSON.parse(json) as { readonly terms: JsonObject };
  const total = operation.ceiling === undefined ? undefined : terms[operation.ceiling.totalMember];
  const currency = operation.ceiling === undefined ? undefined : terms[operation.ceiling.currencyMember];
  const shown =
    typeof total === "number" && typeof currency === "string" && currencyDigits(currency).ok
      ? { amount: formatMoney({ minor: total, currency }) }
      : {};
  return { title: operation.title, terms: termLines(operation.meaning, terms), ...shown };
}

function placeOf(core: Core, destination: string): string {
  return core.destinations.get(destination)?.title ?? destination;
}

function titleOf(core: Core, operation: string): string {
  return core.catalogue.get(operation)?.title ?? operation;
}

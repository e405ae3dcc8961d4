import {
  currencyDigits,
  formatInstant,
  type Instant,
  isJsonObject,
  type JsonObject,
  ok,
  parseJws,
} from "@countersign/wire";
import type { Core, Owner } from "../../core.ts";
import { RECEIPTS_PAGE } from "../../limits.ts";
import type { ReceiptSummary } from "../../trusted/contract.ts";
import type { ServerParts } from "../server.ts";
import type { AddRoute } from "./trusted.ts";

/** The receipts of a person's tasks, newest first; of each task the one that counts now. */
export function registerReceipts(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/receipts", async (person) => ok({ receipts: await receipts(core, person) }));
}

async function receipts(core: Core, owner: Owner): Promise<readonly ReceiptSummary[]> {
  const rows = await core.store.db
    .selectFrom("task")
    .innerJoin("leaf", "leaf.task_id", "task.task_id")
    .innerJoin("agent", "agent.client_id", "task.client_id")
    .innerJoin("account", "account.account_ref", "task.account_ref")
    .select([
      "task.task_id",
      "task.operation",
      "task.updated_at",
      "leaf.jws",
      "agent.name as agent",
      "account.name as account",
      "account.destination",
    ])
    .where("task.tenant_id", "=", owner.tenantId)
    .where("task.person_id", "=", owner.personId)
    .where("leaf.kind", "=", "receipt")
    .where("leaf.jws", "is not", null)
    .orderBy("task.created_at", "desc")
    .orderBy("leaf.leaf_id", "desc")
    .limit(RECEIPTS_PAGE)
    .execute();
  const newest = new Map<string, ReceiptSummary>();
  for (const row of rows) {
    const parsed = parseJws(row.jws ?? "");
    if (newest.has(row.task_id) || !parsed.ok) continue;
    const { payload } = parsed.value;
    const title = core.destinations.get(row.destination)?.title ?? row.destination;
    newest.set(row.task_id, {
      task_id: row.task_id,
      operation_title: core.catalogue.get(row.operation)?.title ?? row.operation,
      outcome: String(payload["outcome"]),
      account_seq: Number(payload["account_seq"]),
      finished_at: textOf(payload["finished_at"]) ?? formatInstant(row.updated_at as Instant),
      agent: row.agent,
      account: row.account === "" ? title : `${row.account}, ${title}`,
      ...total(payload),
      flagged: payload["flags"] !== undefined,
    });
  }
  return [...newest.values()];
}

/** What the site charged, where the receipt says it in a currency that we know. */
function total(receipt: JsonObject): Pick<ReceiptSummary, "total"> {
  const { observed } = receipt;
  if (observed === undefined || !isJsonObject(observed)) return {};
  const { total_minor: minor, currency } = observed;
  if (typeof minor !== "number" || typeof currency !== "string" || !currencyDigits(currency).ok) return {};
  return { total: { total_minor: minor, currency } };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

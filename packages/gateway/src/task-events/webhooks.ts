import { createHash, randomBytes } from "node:crypto";
import { type NewWebhookView, WEBHOOK_SECRET_PREFIX, type WebhookView, webhookRequest } from "@countersign/profile";
import {
  err,
  formatInstant,
  type Instant,
  isLoopbackHost,
  isPublicAddress,
  ok,
  parseAddress,
  parseHttpUrl,
  type Result,
} from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Caller } from "../admission/caller.ts";
import { type Refusal, schemaRefusal } from "../admission/refusal.ts";
import type { Core, Owner } from "../core.ts";
import type { AllowedPlaces } from "../egress/allowed.ts";
import { TASK_WEBHOOK_OVERLAP_MS, TASK_WEBHOOKS_MAX } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Db } from "../store/store.ts";
import type { AgentReceiverView } from "../trusted/contract.ts";
import { openText, sealText } from "../vault/seal.ts";

export type WebhookRow = Selectable<Schema["task_webhook"]>;

const SECRET_BYTES = 32;
const badUrl = (rule: string) => err<Refusal>({ reason: "invalid_request", problems: [{ pointer: "/url", rule }] });

/**
 * An agent's receivers for what becomes of its own tasks. The agent names them by its own token: a message says only
 * that a task has moved, which its agent may read anyway, so nobody's consent is needed for it. Their addresses are
 * judged by form here and by the outbound guard at each delivery (U51): looking them up here would tell the agent which
 * names there are behind the gateway.
 *
 * Registering an address again gives it a new secret; the one before signs beside it for a day. So an answer that was
 * lost is no lost receiver, and a secret is replaced without a gap.
 */
export async function addWebhook(core: Core, who: Caller, body: unknown): Promise<Result<NewWebhookView, Refusal>> {
  if (core.taskWebhooks === undefined) return err({ reason: "not_found" });
  const parsed = webhookRequest.safeParse(body);
  if (!parsed.success) return err(schemaRefusal(parsed.error));
  const url = receiverUrl(parsed.data.url, core.taskWebhooks);
  if (!url.ok) return url;
  const hash = createHash("sha256").update(url.value, "utf8").digest("base64url");
  const secret = `${WEBHOOK_SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
  const freshId = core.newId("whk");
  const now = core.now();
  return core.store.transaction(async (tx) => {
    const mine = await webhooksOf(tx, who);
    const known = mine.find((row) => row.url_hash === hash);
    if (known === undefined && mine.length >= TASK_WEBHOOKS_MAX) return err<Refusal>({ reason: "rate_limited" });
    const id = known?.webhook_id ?? freshId;
    const row: WebhookRow = {
      webhook_id: id,
      tenant_id: who.tenantId,
      person_id: who.personId,
      client_id: who.clientId,
      state: "active",
      url_hash: hash,
      url: sealText(core.sealer, `webhook-url:${id}`, url.value),
      secret: sealText(core.sealer, `webhook-secret:${id}`, secret),
      secret_before: known?.secret ?? null,
      before_until: known === undefined ? null : now + TASK_WEBHOOK_OVERLAP_MS,
      failures: 0,
      paused_until: null,
      created_at: known?.created_at ?? now,
    };
    if (known === undefined) await tx.insertInto("task_webhook").values(row).execute();
    else await tx.updateTable("task_webhook").set(row).where("webhook_id", "=", id).execute();
    return ok({ ...webhookBody(core, row), secret });
  });
}

export async function listWebhooks(core: Core, who: Caller): Promise<readonly WebhookView[]> {
  return (await webhooksOf(core.store.db, who)).map((row) => webhookBody(core, row));
}

/** Where the agents of a person hear of their tasks, by agent: what the person may know of it. */
export async function receiversOf(core: Core, who: Owner): Promise<ReadonlyMap<string, readonly AgentReceiverView[]>> {
  const rows = await core.store.db
    .selectFrom("task_webhook")
    .selectAll()
    .where("tenant_id", "=", who.tenantId)
    .where("person_id", "=", who.personId)
    .orderBy("created_at")
    .orderBy("webhook_id")
    .execute();
  const found = new Map<string, AgentReceiverView[]>();
  for (const row of rows) {
    const view: AgentReceiverView = { origin: new URL(urlOf(core, row)).origin, state: row.state };
    const others = found.get(row.client_id) ?? [];
    const isKnown = others.some(({ origin, state }) => origin === view.origin && state === view.state);
    found.set(row.client_id, isKnown ? others : [...others, view]);
  }
  return found;
}

/** Ends a receiver with all that is on its way to it; false when there is none of this agent's under the reference. */
export async function removeWebhook(core: Core, who: Caller, webhookId: string): Promise<boolean> {
  return core.store.transaction(async (tx) => {
    if (!(await webhooksOf(tx, who)).some((row) => row.webhook_id === webhookId)) return false;
    await tx.deleteFrom("task_webhook_delivery").where("webhook_id", "=", webhookId).execute();
    await tx.deleteFrom("task_webhook").where("webhook_id", "=", webhookId).execute();
    return true;
  });
}

async function webhooksOf(db: Db, who: Caller): Promise<readonly WebhookRow[]> {
  return db
    .selectFrom("task_webhook")
    .selectAll()
    .where("tenant_id", "=", who.tenantId)
    .where("person_id", "=", who.personId)
    .where("client_id", "=", who.clientId)
    .orderBy("created_at")
    .orderBy("webhook_id")
    .execute();
}

export function urlOf(core: Pick<Core, "sealer">, row: WebhookRow): string {
  return openText(core.sealer, `webhook-url:${row.webhook_id}`, row.url);
}

/** The keys that sign now, the newest first. */
export function keysOf(core: Pick<Core, "sealer">, row: WebhookRow, now: number): readonly Uint8Array[] {
  const before = row.secret_before !== null && row.before_until !== null && now < row.before_until;
  return [row.secret, ...(before && row.secret_before !== null ? [row.secret_before] : [])].map((sealed) => {
    const text = openText(core.sealer, `webhook-secret:${row.webhook_id}`, sealed);
    return Buffer.from(text.slice(WEBHOOK_SECRET_PREFIX.length), "base64");
  });
}

/** https, with no user and no fragment; where the operator allows it, http on this machine. */
function receiverUrl(text: string, places: AllowedPlaces): Result<string, Refusal> {
  const url = parseHttpUrl(text);
  if (!url.ok) return badUrl("an https address without a user");
  const { protocol, hostname, hash, href } = url.value;
  const here = places === "loopback_too" && isLoopbackHost(hostname);
  if (protocol !== "https:" && !here) return badUrl("must be https");
  if (hash !== "" || href.endsWith("#")) return badUrl("no fragment");
  const literal = hostname.replaceAll(/^\[|\]$/g, "");
  const isPrivate = isLoopbackHost(hostname) || (parseAddress(literal).ok && !isPublicAddress(literal));
  return isPrivate && !here ? badUrl("must be a public address") : ok(href);
}

function webhookBody(core: Pick<Core, "sealer">, row: WebhookRow): WebhookView {
  return {
    webhook_id: row.webhook_id,
    url: urlOf(core, row),
    state: row.state,
    failures: row.failures,
    created_at: formatInstant(row.created_at as Instant),
  };
}

import type { SiteRecord } from "@countersign/plugin";
import { assert, digestOfBytes, type JsonObject, type Secret } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core } from "../core.ts";
import { MERCHANT_RECORD_BYTES_MAX, MERCHANT_RECORDS_MAX, SECRET_SCAN_CHARS_MIN } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { fitText } from "./fit.ts";

export type MerchantRecordRow = Selectable<Schema["merchant_record"]>;

const KIND = /^[a-z][a-z0-9_.-]{0,63}$/;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/;
const MEDIA_TYPE_CHARS_MAX = 127;
const SIGNER_CHARS_MAX = 200;

/**
 * What of a site's own records is kept (REC-3): bounded, and nothing that a receipt could not name. What an adapter
 * gives beyond that is left out; the commit it belongs to is settled all the same.
 */
export function keepable(core: Core, taskId: string, given: readonly SiteRecord[] = []): readonly SiteRecord[] {
  const kept = given
    .filter(
      ({ kind, mediaType, bytes, by }) =>
        KIND.test(kind) &&
        MEDIA_TYPE.test(mediaType) &&
        mediaType.length <= MEDIA_TYPE_CHARS_MAX &&
        bytes.length > 0 &&
        bytes.length <= MERCHANT_RECORD_BYTES_MAX &&
        (by === undefined || (by.length <= SIGNER_CHARS_MAX && by.isWellFormed())),
    )
    .slice(0, MERCHANT_RECORDS_MAX)
    .map((record) => (record.by === undefined ? record : { ...record, by: fitText(record.by) }));
  if (kept.length < given.length)
    core.log.warn("merchant_record.left_out", { task: taskId, given: given.length, kept: kept.length });
  return kept;
}

/** Records without those that hold one of the session's own secrets: what a page shows may be more than it should (AUT-4). */
export function withoutSecrets(
  records: readonly SiteRecord[] = [],
  secrets: readonly Secret<string>[],
): readonly SiteRecord[] {
  const telling = secrets.map((secret) => secret.reveal()).filter((text) => text.length >= SECRET_SCAN_CHARS_MIN);
  return records.filter(
    ({ bytes, by = "", kind, mediaType }) =>
      !telling.some((text) => Buffer.from(bytes).includes(text) || [by, kind, mediaType].some((t) => t.includes(text))),
  );
}

/** Keeps a site's records byte for byte, sealed, and says how the receipt names them. */
export async function insertMerchantRecords(
  core: Core,
  tx: Tx,
  task: TaskRow,
  receiptId: string,
  records: readonly SiteRecord[],
): Promise<readonly JsonObject[]> {
  const named: JsonObject[] = [];
  for (const { kind, mediaType, bytes, signatureChecked, by } of records) {
    const recordId = core.newId("mrc");
    const sha256 = await digestOfBytes(bytes);
    await tx
      .insertInto("merchant_record")
      .values({
        record_id: recordId,
        tenant_id: task.tenant_id,
        task_id: task.task_id,
        receipt_id: receiptId,
        kind,
        media_type: mediaType,
        sha256,
        bytes: bytes.length,
        sealed: core.sealer.seal(`merchant_record:${recordId}`, bytes),
        signature_checked: signatureChecked ? 1 : 0,
        signed_by: by ?? null,
        created_at: core.now(),
      })
      .execute();
    named.push({ kind, sha256, signature_checked: signatureChecked, ...(by === undefined ? {} : { by }) });
  }
  return named;
}

export async function merchantRecordsOf(db: Db, taskId: string): Promise<readonly MerchantRecordRow[]> {
  return db
    .selectFrom("merchant_record")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("created_at")
    .orderBy("record_id")
    .execute();
}

/** The record as it came. */
export async function openMerchantRecord(core: Core, row: MerchantRecordRow): Promise<Uint8Array> {
  const bytes = core.sealer.open(`merchant_record:${row.record_id}`, row.sealed);
  assert((await digestOfBytes(bytes)) === row.sha256, "a merchant's record is the one the receipt names");
  return bytes;
}

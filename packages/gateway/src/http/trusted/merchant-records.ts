import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { type MerchantRecordRow, merchantRecordsOf, openMerchantRecord } from "../../evidence/merchant-records.ts";
import { findTask } from "../../tasks/tasks.ts";
import type { MerchantRecordView } from "../../trusted/contract.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

/** What the site itself gave out for a task, for the account holder: with its label, and as it came (REC-3). */
export function registerMerchantRecords(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/tasks/:id/records", async (person, request) => {
    const task = await findTask(core.store.db, person, param(request, "id"));
    if (task === undefined) return err({ reason: "not_found" });
    return ok({ records: (await merchantRecordsOf(core.store.db, task.task_id)).map(view) });
  });
  add("GET", "/tasks/:id/records/:record", async (person, request, reply) => {
    const task = await findTask(core.store.db, person, param(request, "id"));
    const records = task === undefined ? [] : await merchantRecordsOf(core.store.db, task.task_id);
    const row = records.find((record) => record.record_id === param(request, "record"));
    if (row === undefined) return err({ reason: "not_found" });
    // A site's bytes are a download and nothing that the trusted interface's own origin would show or run.
    reply
      .type("application/octet-stream")
      .header("content-disposition", `attachment; filename="${row.kind}.${row.record_id}.bin"`);
    return ok(Buffer.from(await openMerchantRecord(core, row)));
  });
}

function view(row: MerchantRecordRow): MerchantRecordView {
  return {
    record_id: row.record_id,
    source: "merchant",
    kind: row.kind,
    media_type: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    signature_checked: row.signature_checked === 1,
    ...(row.signed_by === null ? {} : { by: row.signed_by }),
    received_at: formatInstant(row.created_at as Instant),
  };
}

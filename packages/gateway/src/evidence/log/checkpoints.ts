import { formatInstant, type Instant, type JsonObject, toBase64Url } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Schema } from "../../store/schema.ts";
import type { Db } from "../../store/store.ts";

export type CheckpointRow = Selectable<Schema["log_checkpoint"]>;

/** The newest signed state of the log; undefined until the first leaf has its place. */
export async function latestCheckpoint(db: Db): Promise<CheckpointRow | undefined> {
  return db.selectFrom("log_checkpoint").selectAll().orderBy("checkpoint_id", "desc").limit(1).executeTakeFirst();
}

/** The log's name in its checkpoints, under which its proofs are served too. */
export function logUrl(issuer: string): string {
  return `${issuer}/.well-known/countersign-log`;
}

export function checkpointPayload(issuer: string, size: number, root: Uint8Array, time: Instant): JsonObject {
  return {
    typ: "countersign.checkpoint/1",
    log: logUrl(issuer),
    size,
    root: toBase64Url(root),
    time: formatInstant(time),
  };
}

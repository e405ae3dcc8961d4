import type { Migration, MigrationProvider } from "kysely/migration";
import { trunk } from "./0001-trunk.ts";
import { log } from "./0002-log.ts";
import { grantUse } from "./0003-grant-use.ts";
import { approval } from "./0004-approval.ts";
import { outcome } from "./0005-outcome.ts";
import { continuation } from "./0006-continuation.ts";
import { rowSecurity } from "./0010-row-security.ts";
import { lookUps } from "./0011-look-ups.ts";
import { people } from "./0020-people.ts";
import { signInTries } from "./0024-sign-in-tries.ts";
import { pages } from "./0026-pages.ts";
import { notice } from "./0028-notice.ts";
import { oauth } from "./0030-oauth.ts";
import { taskPush } from "./0040-task-push.ts";
import { taskWebhook } from "./0045-task-webhook.ts";
import { codeTries } from "./0046-code-tries.ts";
import { calledBy } from "./0052-called-by.ts";
import { watch } from "./0053-watch.ts";
import { migration, type Step, type Types } from "./define.ts";

/** Forward only, in the order of their names; every step leaves processes of the version before it working. */
const STEPS: Readonly<Record<string, Step>> = {
  "0001_trunk": trunk,
  "0002_log": log,
  "0003_grant_use": grantUse,
  "0004_approval": approval,
  "0005_outcome": outcome,
  "0006_continuation": continuation,
  "0010_row_security": rowSecurity,
  "0011_look_ups": lookUps,
  "0020_people": people,
  "0024_sign_in_tries": signInTries,
  "0026_pages": pages,
  "0028_notice": notice,
  "0030_oauth": oauth,
  "0040_task_push": taskPush,
  "0045_task_webhook": taskWebhook,
  "0046_code_tries": codeTries,
  "0052_called_by": calledBy,
  "0053_watch": watch,
};

export function migrations(types: Types): MigrationProvider {
  const all = Object.entries(STEPS).map(([name, step]): [string, Migration] => [name, migration(types, step)]);
  return { getMigrations: async () => Object.fromEntries(all) };
}

import type { Confirmation } from "@countersign/plugin";
import type { Secret } from "@countersign/wire";
import { withoutSecrets } from "../evidence/merchant-records.ts";
import type { Landed } from "./outcome.ts";
import { passable } from "./read.ts";
import { tellsSecret } from "./telling.ts";
import type { Work } from "./work.ts";

/**
 * A site's confirmation as the outcome takes it, however it was come by: only what the result schema names passes, and
 * nothing that holds one of the session's own secrets (AUT-4). What is kept back changes nothing of the outcome.
 */
export function landedOf(
  work: Pick<Work, "operation" | "core" | "task">,
  confirmed: Confirmation<unknown>,
  how: Landed["how"],
  secrets: readonly Secret<string>[],
): Landed {
  const { core, task } = work;
  const result = passable(work, confirmed.result, secrets);
  const telling = tellsSecret(confirmed.confirmation, secrets);
  const observed = Object.entries(confirmed.observed ?? {});
  const withheld = observed.filter((term) => tellsSecret(term, secrets)).map(([member]) => member);
  if (telling) core.log.warn("outcome.confirmation_withheld", { task: task.task_id });
  if (withheld.length > 0) core.log.warn("outcome.terms_withheld", { task: task.task_id, terms: withheld.length });
  return {
    result: result.ok ? result.value : undefined,
    ...(telling ? {} : { confirmation: confirmed.confirmation }),
    how,
    ...(confirmed.observed === undefined
      ? {}
      : { observed: Object.fromEntries(observed.filter(([member]) => !withheld.includes(member))) }),
    withheld,
    records: withoutSecrets(confirmed.records, secrets),
  };
}

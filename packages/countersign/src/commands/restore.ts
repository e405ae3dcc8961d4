import { markStore, type RestoreProblem, restoreStore } from "@countersign/gateway/restore";
import { formatInstant, type Instant, instant, secret } from "@countersign/wire";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { dataDir } from "../setup/data-dir.ts";
import { DATABASE_ENV, storeProblem } from "../setup/store-problem.ts";

export const restoreCommand: Command = {
  name: "restore",
  help: `Usage: countersign restore FROM [--data DIR] [--replace] [--keep-grants]
       countersign restore --mark [--keep-grants]

Puts a backup in the place of the store, while no gateway runs. What was done after the backup is not in it, so the
gateway then starts by reading every unfinished task back at its site, and commits nothing before that.

Sign-ins end. Grants, agents' credentials and enrolled authorities end too, for one that was revoked after the backup
would be alive again, and passkeys decide again after a day; agents are let in and grants given anew. Tasks made after the backup are unknown to the gateway: look at the account before
you approve a repeat.

  --replace       move a store that stands there aside
  --keep-grants   keep grants, credentials, authorities and passkeys: only when nothing was revoked since the backup
  --mark          the database of DATABASE_URL was put back with PostgreSQL's own tools: mark it
  --data DIR      the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, {
      data: { type: "string" },
      replace: { type: "boolean" },
      mark: { type: "boolean" },
      "keep-grants": { type: "boolean" },
    });
    if (!parsed.ok) return usageError(restoreCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    const grants = values["keep-grants"] === true ? ("keep" as const) : ("end" as const);
    const now = instant(Date.now());
    if (values.mark === true) {
      const url = process.env[DATABASE_ENV];
      if (!url) return usageError(restoreCommand, "--mark is for the database that DATABASE_URL names");
      const marked = await markStore({ kind: "postgres", url: secret(url) }, { grants, now });
      if (!marked.ok) return refused(marked.reason);
      tell(marked.value.tasks, marked.value.grantsEnded);
      return 0;
    }
    const [from] = positionals;
    if (from === undefined || positionals.length > 1)
      return usageError(restoreCommand, "name the directory of one backup");
    const existing = values.replace === true ? ("move_aside" as const) : ("refuse" as const);
    const done = await restoreStore({ from, dataDir: dataDir(values.data), existing, grants, now });
    if (!done.ok) return refused(done.reason);
    print(`The store of ${formatInstant(done.value.madeAt as Instant)} is back.`);
    if (done.value.movedTo !== undefined) print(`The store before it is ${done.value.movedTo}.`);
    tell(done.value.tasks, done.value.grantsEnded);
    return 0;
  },
};

function tell(tasks: number, grantsEnded: number): void {
  print(`${tasks} unfinished tasks will be read back before anything is committed; ${grantsEnded} grants ended.`);
  print("Tasks made after the backup are not known: look at the account before you approve a repeat.");
}

function refused(problem: RestoreProblem): 1 {
  switch (problem.kind) {
    case "no_backup":
      say("There is no backup in that directory.");
      return 1;
    case "damaged":
      say("That backup is damaged: it is not what was written. Nothing was changed.");
      return 1;
    case "store_in_use":
      say(
        `A gateway runs on that store${problem.held === undefined ? "" : ` (process ${problem.held.pid})`}. Stop it first.`,
      );
      return 1;
    case "store_exists":
      say("There is a store already. --replace moves it aside.");
      return 1;
    case "store":
      say(storeProblem(problem.problem));
      return 1;
  }
}

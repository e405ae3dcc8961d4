import { backupStore } from "@countersign/gateway/restore";
import { instant } from "@countersign/wire";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { dataDir } from "../setup/data-dir.ts";
import { DATABASE_ENV } from "../setup/store-problem.ts";

export const backupCommand: Command = {
  name: "backup",
  help: `Usage: countersign backup --to DIR [--data DIR]

Copies the store, also while the gateway runs, into a new directory. The master key is not in the copy: keep
master.key (or COUNTERSIGN_MASTER_KEY) somewhere else, for without it nothing sealed can be read again.
On PostgreSQL use its own tools (pg_dump, a base backup).

  --to DIR     where to; must not hold a backup already
  --data DIR   the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, { to: { type: "string" }, data: { type: "string" } });
    if (!parsed.ok) return usageError(backupCommand, parsed.reason);
    const { to, data } = parsed.value.values;
    if (to === undefined) return usageError(backupCommand, "--to DIR is needed");
    if (process.env[DATABASE_ENV]) {
      say("The store is the database of DATABASE_URL: back it up with PostgreSQL's own tools.");
      return 1;
    }
    const dir = dataDir(data);
    const made = await backupStore(dir, to, instant(Date.now()));
    if (!made.ok) {
      say(
        made.reason === "no_store"
          ? `There is no store in ${dir}.`
          : `${to} holds a backup already; name a new directory.`,
      );
      return 1;
    }
    print(`${made.value.bytes} bytes copied to ${to}. The master key is not in it.`);
    return 0;
  },
};

import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

export const linkCommand: Command = {
  name: "link",
  help: `Usage: countersign link [--data DIR]

Prints a link that signs one browser in to the trusted interface, once, within 15 minutes.
Open it yourself: whoever opens it first is the account holder there.

  --data DIR   the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, { data: { type: "string" } });
    if (!parsed.ok) return usageError(linkCommand, parsed.reason);
    const dir = dataDir(parsed.value.values.data);
    const answer = await askGateway(dir, { command: "link" });
    if (!answer.ok) {
      say(answer.reason.kind === "not_running" ? notRunning(dir) : `the gateway refused: ${answer.reason.reason}`);
      return 1;
    }
    print(String(answer.value["url"]));
    return 0;
  },
};

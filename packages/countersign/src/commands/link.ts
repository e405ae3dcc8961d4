import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { type AdminFailure, askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

export const linkCommand: Command = {
  name: "link",
  help: `Usage: countersign link [--person ID] [--data DIR]

Prints a link that signs one browser in to the trusted interface, once, within 15 minutes. Looking at it (a preview, a
scanner) does not use it up. Open it yourself, or give it to whom it is for: whoever uses it first is the account
holder there.

The first link leads to a passkey that counts at once. Where the person has passkeys already, a link is a recovery: it
signs in, the person is told, and a passkey made by it can approve what takes a passkey only after one day, or when an
older one confirms it.

  --person ID   whose link it is; the first account holder's otherwise
  --data DIR    the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, { data: { type: "string" }, person: { type: "string" } });
    if (!parsed.ok) return usageError(linkCommand, parsed.reason);
    const { person } = parsed.value.values;
    const dir = dataDir(parsed.value.values.data);
    const named = person === undefined ? {} : { person_id: person };
    const answer = await askGateway(dir, { command: "link", ...named });
    if (!answer.ok) {
      say(why(dir, answer.reason));
      return 1;
    }
    print(String(answer.value["url"]));
    return 0;
  },
};

function why(dir: string, failure: AdminFailure): string {
  if (failure.kind === "not_running") return notRunning(dir);
  return failure.reason === "no_such_person"
    ? "this gateway has no account holder of that name; its ID begins with usr_"
    : `the gateway refused: ${failure.reason}`;
}

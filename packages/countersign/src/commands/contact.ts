import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

export const contactCommand: Command = {
  name: "contact",
  help: `Usage: countersign contact set ADDRESS [--person ID] [--data DIR]
       countersign contact remove [--person ID] [--data DIR]

Says where an account holder is told of what waits for them, by mail. They can do it themselves too, under
"How we reach you" in the trusted interface. An address that is replaced is told so.

  --person ID   another account holder than the first
  --data DIR    the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, { data: { type: "string" }, person: { type: "string" } });
    if (!parsed.ok) return usageError(contactCommand, parsed.reason);
    const [verb, address, ...more] = parsed.value.positionals;
    const { data, person } = parsed.value.values;
    const isSet = verb === "set" && address !== undefined;
    const isRemove = verb === "remove" && address === undefined;
    if (more.length > 0 || (!isSet && !isRemove))
      return usageError(contactCommand, "say: contact set ADDRESS, or contact remove");
    const dir = dataDir(data);
    const answer = await askGateway(dir, {
      command: "contact_set",
      ...(address === undefined ? {} : { address }),
      ...(person === undefined ? {} : { person_id: person }),
    });
    if (answer.ok) {
      print(isSet ? "The address is set." : "The address is removed.");
      if (isSet && answer.value["by_mail"] !== true)
        print("This gateway sends no mail yet: set notify.email in countersign.json and start it again.");
      return 0;
    }
    if (answer.reason.kind === "not_running") say(notRunning(dir));
    else if (answer.reason.reason === "bad_address") say("that is not one plain mail address, such as you@example.org");
    else if (answer.reason.reason === "no_such_person") say("there is no account holder with that id");
    else say(`the gateway refused: ${answer.reason.reason}`);
    return 1;
  },
};

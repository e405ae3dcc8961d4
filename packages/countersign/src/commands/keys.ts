import type { JsonObject } from "@countersign/wire";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

const ROLES = ["approval", "receipt", "log"] as const;

export const keysCommand: Command = {
  name: "keys",
  help: `Usage: countersign keys rotate [--role ROLE] [--suspect-from TIME] [--data DIR]

Puts new evidence keys in the place of the present ones and publishes the key set that says so. Running
gateways on the same store take them up by themselves. The old keys stay listed: what they signed before
goes on verifying.

  --role ROLE          approval, receipt or log; approval and receipt when absent. A new log key has a new
                       pin. Holders of the old pin are led to it by the bundles themselves; publish the
                       new one wherever the old one stands.
  --suspect-from TIME  the present key of that role is compromised: what it signed from then on counts no
                       more (for example 2026-11-30T10:00:00Z; needs --role). A compromised log key cannot
                       introduce its successor: tell every holder the new pin yourself.
  --data DIR           the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, {
      role: { type: "string" },
      "suspect-from": { type: "string" },
      data: { type: "string" },
    });
    if (!parsed.ok) return usageError(keysCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    if (positionals.length !== 1 || positionals[0] !== "rotate") return usageError(keysCommand, "say: keys rotate");
    const role = ROLES.find((known) => known === values.role);
    if (values.role !== undefined && role === undefined)
      return usageError(keysCommand, `--role takes ${ROLES.join(", ")}`);
    const suspectFrom = values["suspect-from"];
    if (suspectFrom !== undefined && role === undefined)
      return usageError(keysCommand, "--suspect-from needs --role: which key is compromised?");
    const dir = dataDir(values.data);
    const done = await askGateway(dir, {
      command: "keys_rotate",
      ...(role === undefined ? {} : { role }),
      ...(suspectFrom === undefined ? {} : { suspect_from: suspectFrom }),
    });
    if (!done.ok) {
      say(done.reason.kind === "not_running" ? notRunning(dir) : refused(done.reason.reason));
      return 1;
    }
    print(told(done.value, suspectFrom));
    return 0;
  },
};

function refused(reason: string): string {
  return reason === "bad_time"
    ? "--suspect-from takes a time that has passed, such as 2026-11-30T10:00:00Z"
    : `the gateway refused: ${reason}`;
}

function told(answer: JsonObject, suspectFrom: string | undefined): string {
  const { version, pin, pin_before: before, roles } = answer;
  const lines = [`Key set ${String(version)} is published, with new keys for: ${(roles as string[]).join(", ")}.`];
  if (before === undefined) return [...lines, `The pin stays ${String(pin)}.`].join("\n");
  lines.push(`The pin was ${String(before)}.`, `The pin is  ${String(pin)}.`);
  lines.push(
    suspectFrom === undefined
      ? "Bundles lead holders of the old pin to it; publish the new one wherever the old one stands."
      : "The old pin is worthless: tell every holder the new one by a way that they trust.",
  );
  return lines.join("\n");
}

import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonObject, secret } from "@countersign/wire";
import { writeCredential } from "../agent/credential.ts";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

const LOOK_MS = 1_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$/;

export const agentCommand: Command = {
  name: "agent",
  help: `Usage: countersign agent add NAME [--out FILE] [--data DIR]

Registers an agent and prints the page where the account holder says yes. Waits for the answer, then
writes the agent's credential (a refresh token) to a file that only you can read. It is never printed.

  --out FILE   where the credential goes (default: agents/NAME.json in the data directory)
  --data DIR   the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, { data: { type: "string" }, out: { type: "string" } });
    if (!parsed.ok) return usageError(agentCommand, parsed.reason);
    const [verb, name] = parsed.value.positionals;
    if (verb !== "add" || name === undefined || !NAME.test(name))
      return usageError(agentCommand, "say: agent add NAME (letters, digits, space, . _ -)");
    const dir = dataDir(parsed.value.values.data);
    const added = await askGateway(dir, { command: "agent_add", name });
    if (!added.ok) {
      say(added.reason.kind === "not_running" ? notRunning(dir) : refusal(added.reason.reason));
      return 1;
    }
    say(`Ask the account holder to decide at ${String(added.value["url"])}`);
    const out =
      parsed.value.values.out === undefined
        ? join(dir, "agents", `${name.replaceAll(" ", "-")}.json`)
        : resolve(parsed.value.values.out);
    return (await waitForYes(dir, String(added.value["client_id"]), out)) ? 0 : 1;
  },
};

function refusal(reason: string): string {
  return reason === "outside_issuer"
    ? "agents have their tokens from the outside issuer in the settings; its client asks by using one"
    : `the gateway refused: ${reason}`;
}

async function waitForYes(dir: string, clientId: string, out: string): Promise<boolean> {
  say("Waiting for the answer (Ctrl+C to stop; the request stays in the inbox).");
  for (;;) {
    const answer = await askGateway(dir, { command: "agent_credential", client_id: clientId });
    if (answer.ok) return keep(answer.value, out);
    if (answer.reason.kind === "not_running" || answer.reason.reason !== "waiting") {
      say(
        answer.reason.kind === "not_running"
          ? "The gateway has stopped."
          : "The account holder refused, or the credential was fetched already.",
      );
      return false;
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

function keep(answer: JsonObject, out: string): boolean {
  const { client_id: clientId, token_endpoint: tokenEndpoint, resource, refresh_token: refreshToken } = answer;
  if (
    !isJsonObject(answer) ||
    typeof clientId !== "string" ||
    typeof tokenEndpoint !== "string" ||
    typeof resource !== "string" ||
    typeof refreshToken !== "string"
  ) {
    say("The gateway's answer was not understood; are both of the same version?");
    return false;
  }
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  writeCredential(out, { clientId, tokenEndpoint, resource, refreshToken: secret(refreshToken) });
  say("The account holder said yes. The credential is in:");
  print(out);
  return true;
}

import { readFileSync } from "node:fs";
import type { Result } from "@countersign/wire";
import { type AgentClient, type ApiAnswer, type ApiFailure, fileClient } from "../agent/client.ts";
import { readCredential } from "../agent/credential.ts";
import { type Command, type ExitCode, printJson, readArgs, say, usageError } from "../cli.ts";

const VERBS = ["submit", "get", "result", "receipt", "cancel"] as const;
type Verb = (typeof VERBS)[number];

export const taskCommand: Command = {
  name: "task",
  help: `Usage: countersign task submit FILE --agent CREDENTIAL     FILE holds the request; - reads standard input
       countersign task get|result|receipt|cancel TASK_ID --agent CREDENTIAL

Speaks to the gateway as an agent does, with the credential that "countersign agent add" wrote.
Prints the gateway's JSON answer. Exit code 0 when it was taken, 1 when it was refused.

  --agent FILE   the agent's credential file`,
  async run(args) {
    const parsed = readArgs(args, { agent: { type: "string" } });
    if (!parsed.ok) return usageError(taskCommand, parsed.reason);
    const [word, what] = parsed.value.positionals;
    const verb = VERBS.find((v) => v === word);
    if (verb === undefined || what === undefined)
      return usageError(taskCommand, `say one of ${VERBS.join(", ")}, and what`);
    const file = parsed.value.values.agent;
    if (file === undefined) return usageError(taskCommand, "--agent FILE is needed");
    const credential = readCredential(file);
    if (!credential.ok) {
      say(credential.reason);
      return 1;
    }
    return report(await call(fileClient(file, credential.value), verb, what));
  },
};

async function call(client: AgentClient, verb: Verb, what: string): Promise<Result<ApiAnswer, ApiFailure>> {
  const path = `/v1/tasks/${encodeURIComponent(what)}`;
  switch (verb) {
    case "submit":
      return client.post("/v1/tasks", what === "-" ? readFileSync(0, "utf8") : readFileSync(what, "utf8"));
    case "get":
      return client.get(path);
    case "result":
    case "receipt":
      return client.get(`${path}/${verb}`);
    case "cancel":
      return client.post(`${path}/cancel`, "{}");
  }
}

function report(answer: Result<ApiAnswer, ApiFailure>): ExitCode {
  if (!answer.ok) {
    say(
      answer.reason === "unreachable"
        ? "The gateway does not answer; is it running?"
        : "The gateway gives this agent no access; it may have been revoked.",
    );
    return 1;
  }
  printJson(answer.value.body);
  return answer.value.status < 300 ? 0 : 1;
}

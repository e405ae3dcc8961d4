import { isJsonObject } from "@countersign/wire";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { type AdminFailure, askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

const POLICIES = ["session", "authority", "passkey"] as const;

export const policyCommand: Command = {
  name: "policy",
  help: `Usage: countersign policy list [--data DIR]
       countersign policy set OPERATION session|authority|passkey [--data DIR]
       countersign policy clear OPERATION [--data DIR]

Says who has to decide before an operation is committed. The tightest of the catalogue's policy, this one and the
grant's counts; it never makes anything looser. A task that is already approved is asked anew when that is not enough.

  session      the account holder in their own session, an authority they enrolled, or a passkey
  authority    an authority they enrolled, or a passkey
  passkey      the account holder's passkey, and nothing less

  --data DIR   the gateway's data directory`,
  async run(args) {
    const parsed = readArgs(args, { data: { type: "string" } });
    if (!parsed.ok) return usageError(policyCommand, parsed.reason);
    const [verb, operation, demand, ...more] = parsed.value.positionals;
    const dir = dataDir(parsed.value.values.data);
    const policy = POLICIES.find((p) => p === demand);
    if (more.length > 0) return usageError(policyCommand, "too many words");
    if (verb === "list" && operation === undefined) return list(dir);
    if (verb === "set" && operation !== undefined && policy !== undefined)
      return tell(dir, await askGateway(dir, { command: "policy_set", operation, policy }));
    if (verb === "clear" && operation !== undefined && demand === undefined)
      return tell(dir, await askGateway(dir, { command: "policy_clear", operation }));
    return usageError(policyCommand, "say: policy list, policy set OPERATION POLICY, or policy clear OPERATION");
  },
};

type Answer = Awaited<ReturnType<typeof askGateway>>;

function tell(dir: string, answer: Answer): 0 | 1 {
  if (!answer.ok) return refused(dir, answer.reason);
  print(`${String(answer.value["operation"])}: ${String(answer.value["policy"])}`);
  return 0;
}

async function list(dir: string): Promise<0 | 1> {
  const answer = await askGateway(dir, { command: "policy_list" });
  if (!answer.ok) return refused(dir, answer.reason);
  const rows = answer.value["operations"];
  for (const row of Array.isArray(rows) ? rows : [])
    if (isJsonObject(row)) print(`${String(row["operation"])}: ${String(row["policy"])}`);
  return 0;
}

function refused(dir: string, failure: AdminFailure): 1 {
  if (failure.kind === "not_running") say(notRunning(dir));
  else if (failure.reason === "no_such_operation") say("the catalogue has no operation of that name that commits");
  else say(`the gateway refused: ${failure.reason}`);
  return 1;
}

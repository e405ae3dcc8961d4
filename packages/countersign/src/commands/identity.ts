import { isJsonObject, type JsonObject } from "@countersign/wire";
import { type Command, print, printJson, readArgs, say, usageError } from "../cli.ts";
import { type AdminFailure, askGateway, notRunning } from "../setup/admin-client.ts";
import { dataDir } from "../setup/data-dir.ts";

/** Who signs, by the names that an operator types. */
const SIGNERS: ReadonlyMap<string, string> = new Map([
  ["web-bot-auth", "protocol.web_bot_auth"],
  ["tap", "protocol.tap"],
]);

const KEY_ID = /^[A-Za-z0-9_-]{43}$/;

export const identityCommand: Command = {
  name: "identity",
  help: `Usage: countersign identity keys [--json] [--data DIR]
       countersign identity rotate [--signer NAME] [--data DIR]
       countersign identity withdraw KEY_ID [--data DIR]

The keys by which destinations see that a request comes from this gateway. Their private halves stay in the
gateway's vault. Switch signing on in the settings: "identity": { "sign": "on" } (docs/web-bot-auth.md).

  keys             which keys there are, which one signs, and what comes next; --json with their public halves
  rotate           a new key: it is published at once and signs an hour later, when everybody can know it; the
                   old one stays published until its last signature is over. Nothing is refused in between.
  withdraw KEY_ID  for a key that somebody else may have: it is taken away at once, and a new one signs. Whoever
                   keeps a copy of the directory may go on accepting the old one for up to an hour.
  --signer NAME    ${[...SIGNERS.keys()].join(" or ")}; web-bot-auth when absent
  --data DIR       the gateway's data directory`,
  async run(args) {
    // One id in sixty-four begins with a dash, and is no option.
    const dashed = args.find((word) => word.startsWith("-") && KEY_ID.test(word));
    const words = args.filter((word) => word !== dashed);
    const parsed = readArgs(words, {
      signer: { type: "string" },
      json: { type: "boolean" },
      data: { type: "string" },
    });
    if (!parsed.ok) return usageError(identityCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    const [verb, keyId, ...more] = dashed === undefined ? positionals : [...positionals, dashed];
    const dir = dataDir(values.data);
    const signer = SIGNERS.get(values.signer ?? "web-bot-auth");
    if (signer === undefined) return usageError(identityCommand, `--signer takes ${[...SIGNERS.keys()].join(" or ")}`);
    if (more.length > 0) return usageError(identityCommand, "too many words");
    if (verb === "keys" && keyId === undefined) return list(dir, values.json === true ? printJson : printKeys);
    if (verb === "rotate" && keyId === undefined)
      return change(dir, await askGateway(dir, { command: "identity_rotate", signer }), rotated);
    if (verb === "withdraw" && keyId !== undefined)
      return change(dir, await askGateway(dir, { command: "identity_withdraw", key_id: keyId }), withdrawn);
    return usageError(identityCommand, "say: identity keys, identity rotate, or identity withdraw KEY_ID");
  },
};

type Answer = Awaited<ReturnType<typeof askGateway>>;

async function list(dir: string, show: (answer: JsonObject) => void): Promise<0 | 1> {
  const answer = await askGateway(dir, { command: "identity_keys" });
  if (!answer.ok) return refused(dir, answer.reason);
  show(answer.value);
  return 0;
}

function printKeys({ signers }: JsonObject): void {
  for (const one of objects(signers)) {
    print(`${nameOf(one["signer"])}:`);
    if (one["problem"] !== undefined) print("  its keys are kept elsewhere, by whoever installed them");
    for (const key of objects(one["keys"])) print(`  ${String(key["key_id"])}  ${stateOf(key)}`);
  }
}

function stateOf(key: JsonObject): string {
  switch (key["state"]) {
    case "signing":
      return key["listed_until"] === undefined ? "signs" : "signs until the next one takes over";
    case "next":
      return `signs from ${String(key["signs_from"])}`;
    default:
      return `signs no more; published until ${String(key["listed_until"])}`;
  }
}

function change(dir: string, answer: Answer, told: (key: JsonObject) => string): 0 | 1 {
  if (!answer.ok) return refused(dir, answer.reason);
  const { key } = answer.value;
  if (key !== undefined && isJsonObject(key)) print(told(key));
  return 0;
}

function rotated(key: JsonObject): string {
  return `The new key ${String(key["key_id"])} is published and signs from ${String(key["signs_from"])}.`;
}

function withdrawn(key: JsonObject): string {
  return `The key is withdrawn. ${String(key["key_id"])} signs in its place, from now on.`;
}

const REFUSALS: Readonly<Record<string, string>> = {
  no_identity: 'requests are not signed here; say "identity": { "sign": "on" } in the settings',
  no_such_signer: "that signer has no keys here; the settings say which destinations read it",
  under_way: "a new key is published already and does not sign yet; wait until it does",
  unknown_key: "there is no key of that id; see: countersign identity keys",
  kept_elsewhere: "its keys are kept elsewhere; rotate them there",
  changed_meanwhile: "the keys were changed by somebody else at the same moment; look again and repeat it",
};

function refused(dir: string, failure: AdminFailure): 1 {
  if (failure.kind === "not_running") say(notRunning(dir));
  else say(REFUSALS[failure.reason] ?? `the gateway refused: ${failure.reason}`);
  return 1;
}

function nameOf(signer: unknown): string {
  for (const [name, id] of SIGNERS) if (id === signer) return name;
  return String(signer);
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one): one is JsonObject => isJsonObject(one)) : [];
}

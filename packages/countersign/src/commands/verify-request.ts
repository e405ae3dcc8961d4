import { createEgress, createGuard } from "@countersign/gateway";
import {
  createVerifier,
  type DraftProfile,
  directoryKeys,
  type KeySource,
  mayActOn,
  readKeySet,
  type SignatureResult,
  type Verification,
} from "@countersign/web-bot-auth";
import { err, ok, type Result } from "@countersign/wire";
import { type Command, print, printJson, readArgs, say, usageError } from "../cli.ts";
import { readBytes, readHeaderLines } from "./sign-request.ts";

export const verifyRequestCommand: Command = {
  name: "verify-request",
  help: `Usage: countersign verify-request URL (--header "NAME: VALUE" | --headers FILE)... [--method NAME] [--body FILE]
                                  [--keys FILE] [--profile NAME] [--legacy] [--json]

Checks the Web Bot Auth signatures of a request: by whose published key each was made, and what it covers. The keys are
fetched from where the request says, over https and from public addresses only, unless you give them.

  URL              where the request went, as its sender wrote it
  --header LINE    a header of the request; as often as there are
  --headers FILE   headers, one a line (what "countersign sign-request" prints)
  --method NAME    GET unless you say another
  --body FILE      the request's body
  --keys FILE      a key directory (JWK Set) to use instead of fetching any
  --profile NAME   ietf-00 (the default) or ietf-01-direct
  --legacy         reads the Signature-Agent of early drafts too
  --json           one JSON document instead

A signature that holds says that a holder of a key published there signed the covered parts. It does not say who they
are, or that anybody approved anything. Replays are not looked for: that takes a record of what was seen before.
Exit code 0 when a signature is verified, 1 when none is.`,
  async run(args) {
    const parsed = readArgs(args, {
      header: { type: "string", multiple: true },
      headers: { type: "string" },
      method: { type: "string" },
      body: { type: "string" },
      keys: { type: "string" },
      profile: { type: "string" },
      legacy: { type: "boolean" },
      json: { type: "boolean" },
    });
    if (!parsed.ok) return usageError(verifyRequestCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    const [url, ...more] = positionals;
    if (url === undefined || more.length > 0) return usageError(verifyRequestCommand, "one URL");
    const profile = values.profile ?? "ietf-00";
    if (!isProfile(profile)) return usageError(verifyRequestCommand, "--profile takes ietf-00 or ietf-01-direct");
    const file = values.headers === undefined ? ok([]) : linesOf(values.headers);
    if (!file.ok) return failed(file.reason);
    const headers = readHeaderLines([...(values.header ?? []), ...file.value]);
    if (!headers.ok) return usageError(verifyRequestCommand, headers.reason);
    const body = values.body === undefined ? ok(new Uint8Array()) : readBytes(values.body);
    if (!body.ok) return failed(body.reason);
    const keys = values.keys === undefined ? ok(fetchingKeys()) : await fileKeys(values.keys);
    if (!keys.ok) return failed(keys.reason);
    const verifier = createVerifier({
      keys: keys.value,
      profile,
      legacyString: values.legacy === true ? "read" : "refused",
    });
    const method = values.method ?? "GET";
    const verification = await verifier.verify({ method, url, headers: headers.value, body: body.value });
    if (values.json === true) printJson(verification);
    else for (const line of inWords(verification)) print(line);
    return verification.outcome === "verified" ? 0 : 1;
  },
};

/** Over the guarded way out: no redirects, no private addresses, each name resolved once. */
function fetchingKeys(): KeySource {
  return directoryKeys({ fetch: createEgress(createGuard({ namedOrigins: new Set() })).fetch });
}

/** One directory for whatever place is named; the result still says which place that was. */
async function fileKeys(file: string): Promise<Result<KeySource, string>> {
  const bytes = readBytes(file);
  if (!bytes.ok) return bytes;
  const set = await readKeySet(bytes.value, { kid: "free" });
  if (!set.ok) return err(`${file} holds no JWK Set`);
  return ok({
    async find(_place, keyId) {
      const key = set.value.keys.get(keyId);
      return key === undefined ? { kind: "absent" } : { kind: "found", key, age: "fresh" };
    },
  });
}

function inWords({ outcome, results }: Verification): readonly string[] {
  if (outcome === "unsigned")
    return ["unsigned: the request has no Web Bot Auth signature, which says nothing about it"];
  return results.flatMap(resultInWords);
}

function resultInWords(result: SignatureResult): readonly string[] {
  const label = result.label ?? "(all)";
  if (result.outcome !== "verified") return [`${label}: ${result.outcome} (${result.reason})`];
  const acting = mayActOn({ ...result, nonceState: result.nonceState === "absent" ? "absent" : "recorded" });
  return [
    `${label}: verified`,
    `  keys at     ${result.identifier}`,
    `  key         ${result.keyId} (${result.algorithm})`,
    `  covers      ${result.covered.join(" ")}`,
    `  body        ${result.body.replace("_", " ")}`,
    `  expires     ${new Date(result.expiresS * 1000).toISOString()}`,
    `  to act on   ${acting.ok ? "it covers enough, once a replay is ruled out" : `not enough: ${acting.reason.replaceAll("_", " ")}`}`,
  ];
}

function linesOf(file: string): Result<readonly string[], string> {
  const bytes = readBytes(file);
  if (!bytes.ok) return bytes;
  return ok(
    new TextDecoder()
      .decode(bytes.value)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== ""),
  );
}

function isProfile(name: string): name is DraftProfile {
  return name === "ietf-00" || name === "ietf-01-direct";
}

function failed(reason: string): 1 {
  say(`countersign verify-request: ${reason}`);
  return 1;
}

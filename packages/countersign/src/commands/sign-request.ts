import { readFileSync, writeFileSync } from "node:fs";
import {
  type DraftProfile,
  directoryDocument,
  type FieldLine,
  generateSigningKey,
  importSigningKey,
  type SigningKey,
  type SignProblem,
  secret,
  signatureHeaders,
} from "@countersign/web-bot-auth";
import { err, isJsonObject, ok, parseJson, parseOrigin, type Result } from "@countersign/wire";
import { type Command, print, printJson, readArgs, say, usageError } from "../cli.ts";

const KEY_FILE_MODE = 0o600;
const PROFILES: readonly DraftProfile[] = ["ietf-00", "ietf-01-direct"];

export const signRequestCommand: Command = {
  name: "sign-request",
  help: `Usage: countersign sign-request URL --key FILE --agent ORIGIN [--method NAME] [--header "NAME: VALUE"]...
                                [--body FILE] [--profile NAME]... [--json]
       countersign sign-request --new-key FILE

Signs a request with Web Bot Auth: prints the headers to send with it, one a line. Nothing is sent. The signature
covers method, host, path, query and the body's digest, and can be used for one minute.

  URL               where the request will go; https
  --key FILE        the private key: an Ed25519 JWK
  --agent ORIGIN    where the public key is found: your key directory stands at
                    ORIGIN/.well-known/http-message-signatures-directory
  --method NAME     GET unless you say another
  --header LINE     a header that the request will have; needed when it is signed already
  --body FILE       the request's body
  --profile NAME    ietf-00 (the published draft; the default) or ietf-01-direct (the copy after it);
                    given twice, the request is signed for both
  --json            one JSON document instead
  --new-key FILE    makes a key: the private half goes to FILE, which only you can read, and the directory
                    to publish is printed

"countersign verify-request" checks what this prints. Exit code 0 when it is signed, 1 when it cannot be.`,
  async run(args) {
    const parsed = readArgs(args, {
      key: { type: "string" },
      agent: { type: "string" },
      method: { type: "string" },
      header: { type: "string", multiple: true },
      body: { type: "string" },
      profile: { type: "string", multiple: true },
      json: { type: "boolean" },
      "new-key": { type: "string" },
    });
    if (!parsed.ok) return usageError(signRequestCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    if (values["new-key"] !== undefined) return makeKey(values["new-key"]);
    const [url, ...more] = positionals;
    if (url === undefined || more.length > 0) return usageError(signRequestCommand, "one URL");
    const { key: keyFile, agent } = values;
    if (keyFile === undefined) return usageError(signRequestCommand, "--key takes the file of the private key");
    if (agent === undefined || !parseOrigin(agent).ok)
      return usageError(signRequestCommand, "--agent takes an origin, such as https://agent.example");
    const profiles = PROFILES.filter((one) => values.profile?.includes(one) === true);
    if (profiles.length !== new Set(values.profile ?? []).size)
      return usageError(signRequestCommand, `--profile takes ${PROFILES.join(" or ")}`);
    const headers = readHeaderLines(values.header ?? []);
    if (!headers.ok) return usageError(signRequestCommand, headers.reason);
    const key = await readKey(keyFile);
    const body = values.body === undefined ? ok(new Uint8Array()) : readBytes(values.body);
    if (!key.ok) return failed(key.reason);
    if (!body.ok) return failed(body.reason);
    const request = { method: values.method ?? "GET", url, headers: headers.value, body: body.value };
    const signed = await signatureHeaders(request, {
      key: key.value,
      agent: { type: "directory", origin: agent },
      ...(profiles.length === 0 ? {} : { profiles }),
    });
    if (!signed.ok) return failed(inWords(signed.reason));
    if (values.json === true) printJson({ key_id: key.value.keyId, headers: Object.fromEntries(signed.value) });
    else for (const [name, value] of signed.value) print(`${name}: ${value}`);
    return 0;
  },
};

/** `NAME: VALUE`, as a header stands on the wire. */
export function readHeaderLines(lines: readonly string[]): Result<readonly FieldLine[], string> {
  const headers: FieldLine[] = [];
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*(.*?)[\t ]*$/.exec(line);
    if (match === null) return err('a header is written "NAME: VALUE"');
    headers.push([(match[1] ?? "").toLowerCase(), match[2] ?? ""]);
  }
  return ok(headers);
}

export function readBytes(file: string): Result<Uint8Array, string> {
  try {
    return ok(new Uint8Array(readFileSync(file)));
  } catch {
    return err(`${file} cannot be read`);
  }
}

async function makeKey(file: string): Promise<0 | 1> {
  const { key, privateJwk } = await generateSigningKey();
  try {
    // Never over a key that is there: it may be the only copy.
    writeFileSync(file, `${JSON.stringify(privateJwk.reveal())}\n`, { mode: KEY_FILE_MODE, flag: "wx" });
  } catch {
    return failed(`${file} cannot be written, or is there already`);
  }
  say(`The private key ${key.keyId} is in ${file}. Publish this at your origin:`);
  say("  path          /.well-known/http-message-signatures-directory");
  say("  content-type  application/http-message-signatures-directory+json");
  print(directoryDocument([key]));
  return 0;
}

async function readKey(file: string): Promise<Result<SigningKey, string>> {
  const bytes = readBytes(file);
  if (!bytes.ok) return bytes;
  const parsed = parseJson(bytes.value);
  if (!parsed.ok || !isJsonObject(parsed.value)) return err(`${file} holds no JWK`);
  const key = await importSigningKey(secret(parsed.value as JsonWebKey));
  return key.ok ? key : err(`${file} holds no private Ed25519 key`);
}

function inWords(problem: SignProblem): string {
  switch (problem) {
    case "plain_http":
      return "a request over plain HTTP is not signed: anybody on the way could use the signature";
    case "bad_target":
      return "the URL is not one that a request can go to";
    case "bad_agent":
      return "the agent is not an https origin with a host name";
    case "signed_otherwise":
      return "the request's own signature headers cannot be read";
    case "content_digest_mismatch":
      return "the content-digest that you gave is not the body's";
    default:
      return `the request cannot be signed (${problem})`;
  }
}

function failed(reason: string): 1 {
  say(`countersign sign-request: ${reason}`);
  return 1;
}

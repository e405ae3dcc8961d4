import { assert, digestOfText } from "@countersign/wire";
import type { SigningKey } from "../keys/signing-key.ts";
import { DIRECTORY_MAX_AGE_S, DIRECTORY_PROOF_SPARE_S } from "../limits.ts";
import { DIRECTORY_MEDIA_TYPE, DIRECTORY_TAG } from "../profile.ts";
import { contentDigest } from "../signatures/content-digest.ts";
import { type FieldLine, fieldOf, httpRequestOf } from "../signatures/message.ts";
import { signMessage } from "../signatures/rfc9421.ts";
import { directoryDocument } from "./document.ts";

export interface ServedDirectory {
  /** Every key in use; each signs the answer, which proves that whoever publishes it holds it. */
  readonly keys: readonly SigningKey[];
  /** How long it may be kept: also how long a withdrawn key goes on being accepted. */
  readonly maxAgeS?: number;
  readonly now?: () => number;
}

/**
 * Answers a request for the directory: GET and HEAD, conditional requests, its own signatures over the authority that was
 * asked for and the digest of the body. Anybody may read it.
 */
export async function serveDirectory(request: Request, directory: ServedDirectory): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  const maxAgeS = directory.maxAgeS ?? DIRECTORY_MAX_AGE_S;
  const body = directoryDocument(directory.keys);
  const etag = `"${(await digestOfText(body)).slice(0, 22)}"`;
  const cached: readonly FieldLine[] = [
    ["cache-control", `public, max-age=${maxAgeS}`],
    ["etag", etag],
    ["access-control-allow-origin", "*"],
  ];
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers: headersOf(cached) });
  const signed = await proof(request, body, { ...directory, maxAgeS });
  const headers = headersOf([...cached, ["content-type", DIRECTORY_MEDIA_TYPE], ...signed]);
  return new Response(request.method === "HEAD" ? null : body, { status: 200, headers });
}

/** One signature for each key: `"@authority";req` and the digest, for no longer than the answer may be kept. */
async function proof(
  request: Request,
  body: string,
  { keys, maxAgeS, now = Date.now }: ServedDirectory & { readonly maxAgeS: number },
): Promise<readonly FieldLine[]> {
  const digest: FieldLine = ["content-digest", await contentDigest(new TextEncoder().encode(body))];
  const created = Math.floor(now() / 1000);
  const inputs: string[] = [];
  const signatures: string[] = [];
  for (const [at, key] of keys.entries()) {
    const signed = await signMessage(
      { status: 200, headers: [digest], request: httpRequestOf(request) },
      {
        label: `binding${at}`,
        components: [{ name: "@authority", of: "request" }, { name: "content-digest" }],
        parameters: {
          created,
          expires: created + maxAgeS + DIRECTORY_PROOF_SPARE_S,
          keyid: key.keyId,
          tag: DIRECTORY_TAG,
        },
        signer: key,
      },
    );
    assert(signed.ok, "a directory's own answer can be signed");
    inputs.push(signed.value.signatureInput);
    signatures.push(signed.value.signature);
  }
  if (inputs.length === 0) return [digest];
  return [digest, ["signature-input", inputs.join(", ")], ["signature", signatures.join(", ")]];
}

function isUnchanged(request: Request, etag: string): boolean {
  const asked = fieldOf([...request.headers.entries()], "if-none-match");
  return asked?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) === true;
}

function headersOf(lines: readonly FieldLine[]): Headers {
  const headers = new Headers();
  for (const [name, value] of lines) headers.set(name, value);
  return headers;
}

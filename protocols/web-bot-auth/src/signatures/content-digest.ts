import { parseStrictDictionary } from "./fields.ts";
import { nodeCrypto } from "./node-crypto.ts";
import { type BareItem, base64, isInnerList } from "./structured.ts";

const NAMES = { "sha-256": "SHA-256", "sha-512": "SHA-512" } as const;
type DigestName = keyof typeof NAMES;
const NODE_NAMES = { "sha-256": "sha256", "sha-512": "sha512" } as const;

/** A `Content-Digest` field (RFC 9530) with SHA-256. */
export async function contentDigest(body: Uint8Array): Promise<string> {
  return `sha-256=:${base64(await digest("sha-256", body))}:`;
}

/** Whether every digest in the field that is known here fits; one that fits is not enough beside one that does not. */
export async function judgeContentDigest(
  field: string,
  body: Uint8Array,
): Promise<"fits" | "differs" | "unsupported" | "malformed"> {
  const parsed = parseStrictDictionary(field);
  if (!parsed.ok) return "malformed";
  let known = 0;
  for (const [name, member] of parsed.value) {
    if (!isDigestName(name)) continue;
    known += 1;
    if (isInnerList(member) || !sameBytes(member.value, await digest(name, body))) return "differs";
  }
  return known === 0 ? "unsupported" : "fits";
}

function isDigestName(name: string): name is DigestName {
  return Object.hasOwn(NAMES, name);
}

async function digest(name: DigestName, bytes: Uint8Array): Promise<Uint8Array> {
  if (nodeCrypto !== undefined) return nodeCrypto.createHash(NODE_NAMES[name]).update(bytes).digest();
  return new Uint8Array(await crypto.subtle.digest(NAMES[name], new Uint8Array(bytes)));
}

function sameBytes(given: BareItem, own: Uint8Array): boolean {
  if (!(given instanceof Uint8Array)) return false;
  return given.length === own.length && given.every((byte, at) => byte === own[at]);
}

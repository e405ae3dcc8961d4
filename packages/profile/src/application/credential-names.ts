import { hasMixedScripts, type Json } from "@countersign/wire";

/** What a credential is called, without separators and in lower case (plugins.md section 3 rule 5). */
const CREDENTIALS: ReadonlySet<string> = new Set([
  "token",
  "apikey",
  "accesskey",
  "password",
  "passwd",
  "passphrase",
  "secret",
  "clientsecret",
  "privatekey",
  "authorization",
  "cookie",
  "credential",
  "bearer",
  "jwt",
]);
const WORDS_MAX = 2;
/** A compact JWT, and a key in PEM: whatever they are called, they are what must not be published. */
const CREDENTIAL_VALUE = /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * Whether a member's name looks like a credential's, in any case and with any separators: `apiKey`, `X-API-Key`,
 * `access_tokens`. `tokenizer` and `secretary` do not. A name that mixes scripts may imitate one, so it does too.
 */
export function looksLikeCredential(name: string): boolean {
  const folded = name.normalize("NFKC");
  if (hasMixedScripts(folded)) return true;
  const words = folded
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const joined = words.join("");
  const runs = words.flatMap((_, at) =>
    Array.from({ length: WORDS_MAX }, (_unused, more) => words.slice(at, at + more + 1).join("")),
  );
  // `ACCESSTOKEN` and `a.p.i.k.e.y` have no words to part, so the end of the whole counts as well.
  return runs.some(isCredential) || [...CREDENTIALS].some((end) => singular(joined).endsWith(end));
}

/** The paths in a value under which something looks like a credential, at any depth; never the value. */
export function credentialPaths(value: Json, at = ""): readonly string[] {
  if (typeof value === "string") return CREDENTIAL_VALUE.test(value) ? [at] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => credentialPaths(item, `${at}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  const members = Object.entries(value);
  // A private key as JWK has innocent names: `kty` beside `d`, or `k` for a shared one.
  if ("kty" in value && ("d" in value || "k" in value)) return [at];
  return members.flatMap(([name, member]) => {
    const place = at === "" ? name : `${at}.${name}`;
    return looksLikeCredential(name) ? [place] : credentialPaths(member, place);
  });
}

function isCredential(word: string): boolean {
  return CREDENTIALS.has(singular(word));
}

function singular(word: string): string {
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

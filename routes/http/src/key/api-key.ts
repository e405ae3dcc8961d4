import { assert, err, ok, type Result, type Secret, secret } from "@countersign/wire";
import type { Presents } from "../credential.ts";
import { KEY_CHARS_MAX, KEY_CHARS_MIN } from "../limits.ts";

/**
 * A key that the person makes at the site's own settings and gives to the gateway at its trusted page, once. It is sent
 * in one header and stands nowhere else: not in a URL, a log, an error or an answer. Nothing renews it: one that the site
 * no longer takes asks for the person.
 */
export interface ApiKeySignIn {
  readonly kind: "api_key";
  /** The header that the site looks for, in lower case, for example `x-api-key`. */
  readonly header: string;
  /** What stands before the key in the header, for example `Token`; nothing when absent. */
  readonly scheme?: string;
  /** What the person reads above the field: what the site calls it. */
  readonly label: string;
  /** How the site's keys look, when they have a form of their own: one of another form never leaves. */
  readonly form?: {
    readonly pattern: RegExp;
    /** The rule in the person's words: "A key begins with abc_ and has 40 letters and digits after it." */
    readonly rule: string;
  };
}

/** The headers that belong to the transport, to the route, or to a browser: a key in one of them is a mistake. */
const TAKEN: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "cookie",
  "date",
  "expect",
  "forwarded",
  "from",
  "host",
  "idempotency-key",
  "keep-alive",
  "location",
  "origin",
  "pragma",
  "cache-control",
  "range",
  "referer",
  "set-cookie",
  "signature",
  "signature-agent",
  "signature-input",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "via",
]);
const TAKEN_BEGINNINGS = ["accept-", "access-control-", "content-", "if-", "proxy-", "sec-", "x-forwarded-"];

/** Why a header cannot carry a key; undefined when it can. */
export function problemWithHeader(name: string): string | undefined {
  // A token of RFC 9110 in lower case, without the signs that nobody uses.
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 64)
    return "a key's header is lower-case letters, digits and single hyphens";
  if (TAKEN.has(name) || TAKEN_BEGINNINGS.some((beginning) => name.startsWith(beginning)))
    return `a key cannot stand in ${name}: the header has another meaning`;
  return undefined;
}

/** @throws AssertionFailed when the adapter names a header or scheme that cannot carry a key. */
export function presentsKey({ header, scheme }: Pick<ApiKeySignIn, "header" | "scheme">): Presents {
  const problem = problemWithHeader(header);
  assert(problem === undefined, problem ?? "");
  assert(scheme === undefined || /^[A-Za-z][A-Za-z0-9-]{0,31}$/.test(scheme), "a key's scheme is one short word");
  const before = scheme === undefined ? "" : `${scheme} `;
  return (key) => ({ header, value: secret(`${before}${key.reveal()}`) });
}

const ANY_FORM = `A key is one line of ${KEY_CHARS_MIN} to ${KEY_CHARS_MAX} letters, digits and signs, without spaces.`;

/** The key as the person has pasted it, spaces around it dropped; the reason is the rule that it breaks, never the key. */
export function readKey(typed: Secret<string> | undefined, form: ApiKeySignIn["form"]): Result<Secret<string>, string> {
  const text = typed?.reveal().trim() ?? "";
  const plain = text.length >= KEY_CHARS_MIN && text.length <= KEY_CHARS_MAX && /^[\x21-\x7e]+$/.test(text);
  if (!plain) return err(form?.rule ?? ANY_FORM);
  // The whole text has to be what the pattern takes, whether it is anchored or not.
  if (form !== undefined && text.replace(form.pattern, "") !== "") return err(form.rule);
  return ok(secret(text));
}

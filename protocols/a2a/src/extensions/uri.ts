import { err, ok, type Result } from "@countersign/wire";

export type UriProblem = "not_text" | "not_https_or_urn" | "not_written_plainly";

const CHARS_MAX = 512;
const URN = /^urn:[a-z0-9][a-z0-9-]{0,31}:[A-Za-z0-9()+,\-.:=@;$_!*'/%]+$/i;

/**
 * An extension's identifier in the one form that two spellings of it share: `https:` by the rules of URLs, `urn:` by
 * RFC 8141. It names something and is never fetched. What has no plain form (white space, user information, percent
 * signs that hide ordinary letters) is refused, so that nothing slips by a comparison.
 */
export function extensionUri(value: unknown): Result<string, UriProblem> {
  if (typeof value !== "string") return err("not_text");
  if (value.length > CHARS_MAX || !/^[\x21-\x7e]+$/.test(value)) return err("not_written_plainly");
  if (/^urn:/i.test(value)) return urn(value);
  if (!/^https:\/\//i.test(value)) return err("not_https_or_urn");
  if (!URL.canParse(value) || value.includes("\\")) return err("not_written_plainly");
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") return err("not_written_plainly");
  return ok(unescaped(url.href));
}

/** The scheme and the namespace have no case; the rest has. */
function urn(value: string): Result<string, UriProblem> {
  const plain = unescaped(value);
  if (!URN.test(plain)) return err("not_written_plainly");
  const [scheme = "", namespace = ""] = plain.split(":", 2);
  const rest = plain.slice(scheme.length + namespace.length + 2);
  return ok(`${scheme.toLowerCase()}:${namespace.toLowerCase()}:${rest}`);
}

/** Percent signs before letters, digits and `-._~` say nothing that the character itself does not (RFC 3986 §6.2.2.2). */
function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : whole.toUpperCase();
  });
}

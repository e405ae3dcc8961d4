import { type Json, type JsonObject, type Secret, toBase64Url } from "@countersign/wire";

/**
 * Takes secrets and personal data out of what is kept as evidence or for a test: a page's text, an API's answer. What is
 * known is taken out in every form in which pages and logs write it; what only looks like an address of mail, a card, an
 * account or a telephone number too. It takes out rather too much: a snapshot shows a shape, and decides nothing.
 */
export interface ToMask {
  readonly secrets: readonly Secret<string>[];
  /** Texts that are personal: a name, an address. Compared without regard to case and to how spaces are set. */
  readonly personal?: readonly string[];
}

export const MASKED_SECRET = "[secret]";
export const MASKED_PERSONAL = "[personal]";

/** Of a longer secret its beginning says too much already (U52). */
const TELLING_PREFIX_CHARS = 6;
const PREFIX_OF_CHARS_MIN = 12;

export function maskText(text: string, known: ToMask): string {
  let masked = text;
  for (const form of secretForms(known.secrets)) masked = maskForm(masked, form);
  for (const personal of known.personal ?? []) masked = masked.replace(looseWords(personal), MASKED_PERSONAL);
  return maskLookalikes(masked);
}

/** Whether anything of a secret stands in the text, in whatever form. */
export function holdsSecret(text: string, secrets: readonly Secret<string>[]): boolean {
  return secretForms(secrets).some((form) => maskForm(text, form) !== text);
}

/**
 * @param paths members that are personal whatever they hold, as the catalogue writes them: `claims/*\/person`, where `*`
 *   is each row. A `result/` in front says the same.
 */
export function maskJson(value: Json, known: ToMask, paths: readonly string[] = []): Json {
  const ways = paths.map((path) => path.replace(/^result\//, "").split("/"));
  return maskBelow(value, known, ways);
}

function maskBelow(value: Json, known: ToMask, ways: readonly (readonly string[])[]): Json {
  if (ways.some((way) => way.length === 0)) return value === null ? null : MASKED_PERSONAL;
  if (typeof value === "string") return maskText(value, known);
  if (Array.isArray(value)) return value.map((row) => maskBelow(row as Json, known, below(ways, "*")));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value as JsonObject).map(([name, member]): [string, Json] => [
    maskText(name, known),
    maskBelow(member as Json, known, below(ways, name)),
  ]);
  return Object.fromEntries(members);
}

function below(ways: readonly (readonly string[])[], name: string): readonly (readonly string[])[] {
  return ways.filter(([first]) => first === name || first === "*").map(([, ...rest]) => rest);
}

/** A secret as it is, and as addresses, JSON, markup and `Basic` or `Bearer` headers write it; longest first. */
function secretForms(secrets: readonly Secret<string>[]): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const plain = secret.reveal();
    const base64Url = toBase64Url(new TextEncoder().encode(plain));
    forms.add(plain);
    forms.add(plain.isWellFormed() ? encodeURIComponent(plain) : plain);
    forms.add(JSON.stringify(plain).slice(1, -1));
    forms.add(plain.replace(/[&<>"']/g, (char) => MARKUP.get(char) ?? char));
    forms.add(base64Url);
    forms.add(base64Url.replaceAll("-", "+").replaceAll("_", "/"));
  }
  forms.delete("");
  return [...forms].sort((a, b) => b.length - a.length);
}

const MARKUP: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Takes the form out, and of a long one every piece that begins as it does. */
function maskForm(text: string, form: string): string {
  const prefix = form.length >= PREFIX_OF_CHARS_MIN ? form.slice(0, TELLING_PREFIX_CHARS) : form;
  let masked = "";
  let from = 0;
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, from)) {
    let end = at + prefix.length;
    while (end - at < form.length && text[end] === form[end - at]) end += 1;
    masked += text.slice(from, at) + MASKED_SECRET;
    from = end;
  }
  return masked + text.slice(from);
}

function looseWords(personal: string): RegExp {
  const words = personal.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return /(?!)/;
  return new RegExp(words.map((word) => word.replace(/[\^$.*+?()[\]{}|/\\]/g, "\\$&")).join("\\s+"), "giu");
}

const MAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const PHONE = /\+[0-9](?:[ ()./-]{0,2}[0-9]){7,14}/g;
const IBAN = /\b[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]){11,30}\b/g;
const CARD = /(?<![0-9.,-])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])/g;

function maskLookalikes(text: string): string {
  return text
    .replace(MAIL, MASKED_PERSONAL)
    .replace(IBAN, (found) => (isIban(found.replaceAll(" ", "")) ? MASKED_PERSONAL : found))
    .replace(CARD, (found) => (isCard(found.replace(/[ -]/g, "")) ? MASKED_PERSONAL : found))
    .replace(PHONE, MASKED_PERSONAL);
}

/** ISO 13616: the check digits hold, so that order numbers stay as they are. */
function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false;
  const turned = text.slice(4) + text.slice(0, 4);
  return [...turned].reduce((rest, char) => Number(`${rest}${Number.parseInt(char, 36)}`) % 97, 0) === 1;
}

/** ISO/IEC 7812-1: the last digit checks the others. */
function isCard(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, char, at) => {
    const doubled = Number(char) * (at % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

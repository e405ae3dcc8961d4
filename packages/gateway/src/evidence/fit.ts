import { receiptRecord, SITE_TEXT_BYTES_MAX } from "@countersign/profile";
import { canonicalJson, checkRecord, digestOfText, isJsonObject, type Json, type JsonObject } from "@countersign/wire";

/** C0 controls other than newline: no record holds them (decisions.md 5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f]/g;
/** The visible marks of the C0 controls stand in their order from here on (Unicode, Control Pictures). */
const CONTROL_PICTURES = 0x2400;

/** Text of a site as a record can hold it: every control is shown by its mark, nothing else is changed. */
export function fitText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, (control) => String.fromCharCode(CONTROL_PICTURES + control.charCodeAt(0)));
}

/** Something made fit, and the names of what had to be left out of it. */
export interface Fitted {
  readonly value: JsonObject;
  readonly leftOut: readonly string[];
}

/**
 * Terms that a site says were carried out, as a record can hold them. Text above the limit is told by digest and size;
 * a member that is no JSON of the record profile is left out.
 */
export async function fitTerms(terms: JsonObject): Promise<Fitted> {
  const fitted: [string, Json][] = [];
  const leftOut: string[] = [];
  for (const [member, value] of Object.entries(terms)) {
    const fit = await fitJson(value, 0);
    // Inside a receipt it stands one level deeper than in terms of its own.
    if (fit !== undefined && checkRecord({ observed: { [member]: fit } }).ok) fitted.push([member, fit]);
    else leftOut.push(member);
  }
  return { value: Object.fromEntries(fitted), leftOut };
}

const DEPTH_LOOKED_AT = 16;

async function fitJson(value: Json | undefined, depth: number): Promise<Json | undefined> {
  if (value === undefined || depth > DEPTH_LOOKED_AT) return undefined;
  if (typeof value === "string") return fitSiteText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const members = await Promise.all(value.map((member) => fitJson(member, depth + 1)));
    return members.some((member) => member === undefined) ? undefined : (members as Json[]);
  }
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const fit = await fitJson(member, depth + 1);
    if (fit === undefined) return undefined;
    members.push([name, fit]);
  }
  return Object.fromEntries(members);
}

async function fitSiteText(text: string): Promise<Json> {
  const bytes = Buffer.byteLength(text);
  return bytes > SITE_TEXT_BYTES_MAX ? { digest: await digestOfText(text), bytes } : fitText(text);
}

/**
 * A receipt that can certainly be signed: what sites said in it is made fit, and what still does not fit is left out,
 * one member after the other. Whatever a site sends, the outcome itself gets its receipt.
 */
export async function fitReceipt(payload: JsonObject): Promise<Fitted> {
  const leftOut: string[] = [];
  let fitted = payload;
  const { destination, observed } = payload;
  if (isObject(destination)) {
    const { confirmation, ...rest } = destination;
    const fits = typeof confirmation === "string" && Buffer.byteLength(confirmation) <= SITE_TEXT_BYTES_MAX;
    if (confirmation !== undefined && !fits) leftOut.push("destination.confirmation");
    fitted = { ...fitted, destination: fits ? { ...rest, confirmation: fitText(confirmation) } : rest };
  }
  if (isObject(observed)) {
    const terms = await fitTerms(observed);
    leftOut.push(...terms.leftOut.map((member) => `observed.${member}`));
    fitted = { ...fitted, observed: terms.value };
  }
  if (isSignable(fitted)) return { value: fitted, leftOut };
  for (const [name, smaller] of REDUCTIONS) {
    for (;;) {
      const reduced = isSignable(fitted) ? undefined : smaller(fitted);
      if (reduced === undefined) break;
      leftOut.push(name);
      fitted = reduced;
    }
  }
  return { value: fitted, leftOut };
}

/** Whether the receipt is one, whichever number of its account it will get. */
function isSignable(payload: JsonObject): boolean {
  const numbered = { ...payload, account_seq: Number.MAX_SAFE_INTEGER };
  return checkRecord(numbered).ok && receiptRecord.safeParse(numbered).success;
}

/** What is given up for the outcome's sake, the least first; undefined when there is nothing of it left. */
const REDUCTIONS: readonly (readonly [name: string, smaller: (payload: JsonObject) => JsonObject | undefined])[] = [
  ["observed", withoutLargestTerm],
  ["destination", ({ destination, ...rest }) => (destination === undefined ? undefined : rest)],
  ["merchant_records", emptied("merchant_records")],
  ["evidence", emptied("evidence")],
];

function withoutLargestTerm(payload: JsonObject): JsonObject | undefined {
  const { observed } = payload;
  if (!isObject(observed)) return undefined;
  const [largest] = Object.entries(observed).sort(([, a], [, b]) => canonicalJson(b).length - canonicalJson(a).length);
  if (largest === undefined) return undefined;
  return { ...payload, observed: Object.fromEntries(Object.entries(observed).filter(([name]) => name !== largest[0])) };
}

function emptied(member: string): (payload: JsonObject) => JsonObject | undefined {
  return (payload) => {
    const list = payload[member];
    return Array.isArray(list) && list.length > 0 ? { ...payload, [member]: [] } : undefined;
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

// Structured fields of RFC 9651, dictionaries alone, strictly: a key or a parameter that comes twice is an error and not
// the last one's, for two readers that disagree on which one counts are an attack. One pass over the text; in the tests
// the npm package `structured-headers` reads the same texts and has to agree.

/** What is neither text nor a whole number nor true, false or bytes. `text` is how it is written. */
export class OtherItem {
  readonly kind: "token" | "decimal" | "date" | "display_string";
  readonly text: string;

  constructor(kind: OtherItem["kind"], text: string) {
    this.kind = kind;
    this.text = text;
  }
}

/** Numbers are whole: a decimal is another thing, even where it is written 1.0. */
export type BareItem = string | number | boolean | Uint8Array | OtherItem;
export type Parameters = ReadonlyMap<string, BareItem>;

export interface Item {
  readonly value: BareItem;
  readonly parameters: Parameters;
}

export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

export type Member = Item | InnerList;

export function isInnerList(member: Member): member is InnerList {
  return "items" in member;
}

export function memberText(member: Member): string {
  if (!isInnerList(member)) return itemText(member.value) + parametersText(member.parameters);
  const items = member.items.map(({ value, parameters }) => itemText(value) + parametersText(parameters));
  return `(${items.join(" ")})${parametersText(member.parameters)}`;
}

export function parametersText(parameters: Iterable<readonly [string, BareItem]>): string {
  let text = "";
  for (const [name, value] of parameters) text += value === true ? `;${name}` : `;${name}=${itemText(value)}`;
  return text;
}

export function itemText(value: BareItem): string {
  if (typeof value === "string") return `"${ESCAPE.test(value) ? value.replace(ESCAPES, "\\$&") : value}"`;
  // Minus nought is nought.
  if (typeof value === "number") return String(value + 0);
  if (typeof value === "boolean") return value ? "?1" : "?0";
  return value instanceof OtherItem ? value.text : `:${base64(value)}:`;
}

const ESCAPE = /["\\]/;
const ESCAPES = /["\\]/g;

/** Standard alphabet with padding: what structured fields carry. */
export function base64(bytes: Uint8Array): string {
  if (NodeBuffer !== undefined) {
    // What Node's own signing answers is one already.
    const own = bytes instanceof NodeBuffer;
    return (own ? bytes : NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString("base64");
  }
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of text that is known to be ASCII. */
export function asciiBytes(text: string): Uint8Array {
  // Out of Node's pool of small buffers: an encoder makes memory of its own for each.
  return NodeBuffer === undefined ? encoder.encode(text) : NodeBuffer.from(text, "latin1");
}

const encoder = new TextEncoder();
/** Node's own, where this runs in Node; looked up at run time, for bundles. */
const NodeBuffer: typeof Buffer | undefined = globalThis.process?.getBuiltinModule?.("node:buffer")?.Buffer;

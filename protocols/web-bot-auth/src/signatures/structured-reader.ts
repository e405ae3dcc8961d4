import { type BareItem, type InnerList, type Item, type Member, OtherItem, type Parameters } from "./structured.ts";

/** `duplicate`: a key, or a parameter of one thing, twice. */
export type StructuredProblem = "malformed" | "duplicate";

/** In the order of the text. */
export function parseDictionary(text: string): ReadonlyMap<string, Member> | StructuredProblem {
  const reader = new Reader(text);
  const members = reader.dictionary();
  return members ?? reader.problem;
}

/** A single item, as `Signature-Agent` once was. */
export function parseItem(text: string): Item | StructuredProblem {
  const reader = new Reader(text);
  const item = reader.lone();
  return item ?? reader.problem;
}

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const PERCENT = 0x25;
const OPEN = 0x28;
const CLOSE = 0x29;
const STAR = 0x2a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUESTION = 0x3f;
const AT = 0x40;
const BACKSLASH = 0x5c;
const TILDE = 0x7e;

const INTEGER_DIGITS_MAX = 15;
const DECIMAL_WHOLE_DIGITS_MAX = 12;
const DECIMAL_FRACTION_DIGITS_MAX = 3;

const KEY_LETTERS = lettersOf("abcdefghijklmnopqrstuvwxyz0123456789_-.*");
const TOKEN_LETTERS = lettersOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~:/");
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HEX = /^[0-9a-f]{2}$/;

function lettersOf(letters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let at = 0; at < letters.length; at += 1) table[letters.charCodeAt(at)] = 1;
  return table;
}

/** Each function answers what it read, and undefined for what cannot be read; then `problem` says why. */
class Reader {
  problem: StructuredProblem = "malformed";
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  dictionary(): ReadonlyMap<string, Member> | undefined {
    const members = new Map<string, Member>();
    this.#spaces();
    while (this.#at < this.#text.length) {
      const key = this.#key();
      if (key === undefined) return undefined;
      const member = this.#member();
      if (member === undefined) return undefined;
      if (members.has(key)) return this.#duplicate();
      members.set(key, member);
      this.#blanks();
      if (this.#at >= this.#text.length) return members;
      if (!this.#takes(COMMA)) return undefined;
      this.#blanks();
      if (this.#at >= this.#text.length) return undefined;
    }
    return members;
  }

  lone(): Item | undefined {
    this.#spaces();
    const item = this.#item();
    this.#spaces();
    return this.#at >= this.#text.length ? item : undefined;
  }

  #duplicate(): undefined {
    this.problem = "duplicate";
  }

  #code(): number {
    // Not a number at the end, which equals nothing.
    return this.#text.charCodeAt(this.#at);
  }

  #takes(code: number): boolean {
    if (this.#code() !== code) return false;
    this.#at += 1;
    return true;
  }

  #spaces(): void {
    while (this.#code() === SPACE) this.#at += 1;
  }

  #blanks(): void {
    while (this.#code() === SPACE || this.#code() === TAB) this.#at += 1;
  }

  #key(): string | undefined {
    const first = this.#code();
    if (first !== STAR && !isLower(first)) return undefined;
    return this.#run(KEY_LETTERS);
  }

  #run(letters: Uint8Array): string {
    const from = this.#at;
    while (letters[this.#code()] === 1) this.#at += 1;
    return this.#text.slice(from, this.#at);
  }

  #member(): Member | undefined {
    if (this.#takes(EQUALS)) return this.#code() === OPEN ? this.#innerList() : this.#item();
    const parameters = this.#parameters();
    return parameters === undefined ? undefined : { value: true, parameters };
  }

  #innerList(): InnerList | undefined {
    this.#at += 1;
    const items: Item[] = [];
    for (;;) {
      this.#spaces();
      if (this.#takes(CLOSE)) {
        const parameters = this.#parameters();
        return parameters === undefined ? undefined : { items, parameters };
      }
      const item = this.#item();
      if (item === undefined) return undefined;
      items.push(item);
      const next = this.#code();
      if (next !== SPACE && next !== CLOSE) return undefined;
    }
  }

  #item(): Item | undefined {
    const value = this.#bare();
    if (value === undefined) return undefined;
    const parameters = this.#parameters();
    return parameters === undefined ? undefined : { value, parameters };
  }

  #parameters(): Parameters | undefined {
    if (this.#code() !== SEMICOLON) return NONE;
    const parameters = new Map<string, BareItem>();
    while (this.#takes(SEMICOLON)) {
      this.#spaces();
      const key = this.#key();
      if (key === undefined) return undefined;
      const value = this.#takes(EQUALS) ? this.#bare() : true;
      if (value === undefined) return undefined;
      if (parameters.has(key)) return this.#duplicate();
      parameters.set(key, value);
    }
    return parameters;
  }

  #bare(): BareItem | undefined {
    const first = this.#code();
    if (first === QUOTE) return this.#string();
    if (first === MINUS || isDigit(first)) return this.#number();
    if (first === COLON) return this.#bytes();
    if (first === STAR || isLower(first) || isUpper(first)) return new OtherItem("token", this.#run(TOKEN_LETTERS));
    if (first === QUESTION) return this.#boolean();
    if (first === AT) return this.#date();
    return first === PERCENT ? this.#displayString() : undefined;
  }

  #string(): string | undefined {
    this.#at += 1;
    const from = this.#at;
    let escaped = false;
    for (; ; this.#at += 1) {
      const code = this.#code();
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        this.#at += 1;
        escaped = true;
        if (this.#code() !== QUOTE && this.#code() !== BACKSLASH) return undefined;
      } else if (!(code >= SPACE && code <= TILDE)) return undefined;
    }
    const text = this.#text.slice(from, this.#at);
    this.#at += 1;
    return escaped ? text.replace(/\\(.)/g, "$1") : text;
  }

  /** A sign and digits; undefined where there is none, or more than any number has. */
  #digits(): string | undefined {
    const from = this.#at;
    if (this.#code() === MINUS) this.#at += 1;
    const first = this.#at;
    while (isDigit(this.#code())) this.#at += 1;
    const count = this.#at - first;
    return count === 0 || count > INTEGER_DIGITS_MAX ? undefined : this.#text.slice(from, this.#at);
  }

  #number(): number | OtherItem | undefined {
    const whole = this.#digits();
    if (whole === undefined) return undefined;
    if (!this.#takes(DOT)) return Number(whole) + 0;
    const from = this.#at;
    while (isDigit(this.#code())) this.#at += 1;
    const fraction = this.#text.slice(from, this.#at);
    const places = whole.replace("-", "").length;
    if (places > DECIMAL_WHOLE_DIGITS_MAX) return undefined;
    if (fraction.length === 0 || fraction.length > DECIMAL_FRACTION_DIGITS_MAX) return undefined;
    const value = Number(`${whole}.${fraction}`) + 0;
    return new OtherItem("decimal", Number.isInteger(value) ? `${value}.0` : String(value));
  }

  #date(): OtherItem | undefined {
    this.#at += 1;
    const digits = this.#digits();
    // No point after it: a date is whole.
    if (digits === undefined || this.#code() === DOT) return undefined;
    return new OtherItem("date", `@${Number(digits) + 0}`);
  }

  #bytes(): Uint8Array | undefined {
    const end = this.#text.indexOf(":", this.#at + 1);
    if (end < 0) return undefined;
    const text = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return BASE64.test(text) ? bytesOf(text) : undefined;
  }

  #boolean(): boolean | undefined {
    this.#at += 1;
    const code = this.#code();
    if (code !== 0x30 && code !== 0x31) return undefined;
    this.#at += 1;
    return code === 0x31;
  }

  #displayString(): OtherItem | undefined {
    const from = this.#at;
    this.#at += 1;
    if (!this.#takes(QUOTE)) return undefined;
    const bytes: number[] = [];
    for (;;) {
      const code = this.#code();
      this.#at += 1;
      if (code === QUOTE) break;
      if (code === PERCENT) {
        const hex = this.#text.slice(this.#at, this.#at + 2);
        if (!HEX.test(hex)) return undefined;
        bytes.push(Number.parseInt(hex, 16));
        this.#at += 2;
      } else if (code >= SPACE && code <= TILDE) bytes.push(code);
      else return undefined;
    }
    return isUtf8(bytes) ? new OtherItem("display_string", this.#text.slice(from, this.#at)) : undefined;
  }
}

const NONE: Parameters = new Map();

function bytesOf(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: readonly number[]): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

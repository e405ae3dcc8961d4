import { POINTER_NAME_MAX_CHARS } from "./limits.ts";
import { err, ok, type Result } from "./result.ts";

/** A JSON value. Objects made by this package are plain and never hold a member named `__proto__`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * Why a text or value was refused. Safe to log: it never holds a value of the input, and a member name only inside
 * `path`, cut to 64 characters.
 *
 * `not_in_profile` is JSON that a record may not hold: null, a control character, a top level that is no object.
 */
export interface JsonProblem {
  readonly code:
    | "too_large"
    | "not_utf8"
    | "syntax"
    | "duplicate_name"
    | "too_deep"
    | "unsafe_number"
    | "forbidden_name"
    | "lone_surrogate"
    | "not_in_profile";
  /** RFC 6901 pointer to the member, or to the container for a fault of syntax. */
  readonly path: string;
  /** UTF-16 units from the start of the text; 0 for `too_large`, `not_utf8` and values already in memory. */
  readonly offset: number;
}

/** What the scanner checks beyond RFC 8259. */
export interface ScanRules {
  readonly maxDepth: number;
  readonly profile: "json" | "record";
}

export type PathStep = string | number;

export function pointer(steps: readonly PathStep[]): string {
  return steps.map((step) => `/${typeof step === "number" ? step : pointerName(step)}`).join("");
}

function pointerName(name: string): string {
  return name.slice(0, POINTER_NAME_MAX_CHARS).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names of records: strict ASCII, so that no two spellings look alike. */
export const RECORD_NAME = /^[a-z0-9_]+$/;
/** C0 controls other than newline (decisions.md 5); everything else a person or site wrote keeps its characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point.
export const RECORD_CONTROL = /[\u0000-\u0009\u000b-\u001f]/;
/** Assigning this name would change an object's prototype instead of adding a member. */
export const FORBIDDEN_NAME = "__proto__";

/** Unwinds the recursion; caught in {@link scan}, never seen outside. */
class Stop {
  readonly problem: JsonProblem;
  constructor(problem: JsonProblem) {
    this.problem = problem;
  }
}

/** Reads one JSON text, nothing before or after it but white space. Size and encoding are the caller's to check. */
export function scan(text: string, rules: ScanRules): Result<Json, JsonProblem> {
  try {
    return ok(new Scanner(text, rules).document());
  } catch (thrown) {
    if (thrown instanceof Stop) return err(thrown.problem);
    throw thrown;
  }
}

const NUMBER = /-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Scanner {
  readonly #text: string;
  readonly #rules: ScanRules;
  readonly #path: PathStep[] = [];
  #at = 0;

  constructor(text: string, rules: ScanRules) {
    this.#text = text;
    this.#rules = rules;
  }

  document(): Json {
    this.#space();
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) this.#stop("syntax");
    return value;
  }

  #stop(code: JsonProblem["code"], offset = this.#at): never {
    throw new Stop({ code, path: pointer(this.#path), offset });
  }

  #space(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.#at++;
    }
  }

  #value(depth: number): Json {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth + 1);
      case "[":
        return this.#array(depth + 1);
      case '"':
        return this.#stringValue();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        if (this.#rules.profile === "record") this.#stop("not_in_profile");
        return this.#literal("null", null);
      default:
        return this.#number();
    }
  }

  #literal<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#stop("syntax");
    this.#at += word.length;
    return value;
  }

  #object(depth: number): JsonObject {
    if (depth > this.#rules.maxDepth) this.#stop("too_deep");
    const members: Record<string, Json> = {};
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === "}") {
      this.#at++;
      return members;
    }
    for (;;) {
      const start = this.#at;
      if (this.#text[this.#at] !== '"') this.#stop("syntax");
      const name = this.#string();
      this.#path.push(name);
      this.#checkName(name, members, start);
      this.#space();
      if (this.#text[this.#at] !== ":") this.#stop("syntax");
      this.#at++;
      this.#space();
      members[name] = this.#value(depth);
      this.#path.pop();
      if (this.#separator("}")) return members;
    }
  }

  #checkName(name: string, members: JsonObject, start: number): void {
    if (name === FORBIDDEN_NAME) this.#stop("forbidden_name", start);
    if (this.#rules.profile === "record" && !RECORD_NAME.test(name)) this.#stop("forbidden_name", start);
    if (Object.hasOwn(members, name)) this.#stop("duplicate_name", start);
  }

  #array(depth: number): readonly Json[] {
    if (depth > this.#rules.maxDepth) this.#stop("too_deep");
    const items: Json[] = [];
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === "]") {
      this.#at++;
      return items;
    }
    for (;;) {
      this.#path.push(items.length);
      items.push(this.#value(depth));
      this.#path.pop();
      if (this.#separator("]")) return items;
    }
  }

  /** True at the closing bracket; false after a comma, standing at what follows it. */
  #separator(close: "}" | "]"): boolean {
    this.#space();
    const c = this.#text[this.#at];
    if (c !== close && c !== ",") this.#stop("syntax");
    this.#at++;
    this.#space();
    return c === close;
  }

  #stringValue(): string {
    const start = this.#at;
    const value = this.#string();
    if (this.#rules.profile === "record" && RECORD_CONTROL.test(value)) this.#stop("not_in_profile", start);
    return value;
  }

  #string(): string {
    const start = this.#at;
    let value = "";
    let from = ++this.#at;
    for (;;) {
      const c = this.#text.charCodeAt(this.#at);
      // NaN at the end of the text fails this comparison as well.
      if (!(c >= 0x20)) this.#stop("syntax");
      if (c === 0x22) break;
      if (c === 0x5c) {
        value += this.#text.slice(from, this.#at) + this.#escape();
        from = this.#at;
      } else {
        this.#at++;
      }
    }
    value += this.#text.slice(from, this.#at);
    this.#at++;
    if (!value.isWellFormed()) this.#stop("lone_surrogate", start);
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? "";
    if (letter === "u") {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!HEX4.test(hex)) this.#stop("syntax");
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    if (!Object.hasOwn(SIMPLE_ESCAPES, letter)) this.#stop("syntax");
    this.#at += 2;
    return SIMPLE_ESCAPES[letter] ?? "";
  }

  #number(): number {
    const start = this.#at;
    NUMBER.lastIndex = start;
    const match = NUMBER.exec(this.#text);
    if (!match) this.#stop("syntax");
    const [token, whole = "", fraction, exponent] = match;
    this.#at += token.length;
    const value = Number(token);
    const spelledAsInteger = fraction === undefined && exponent === undefined;
    if (this.#rules.profile === "record" && !spelledAsInteger) this.#stop("unsafe_number", start);
    if (!Number.isFinite(value) || Object.is(value, -0)) this.#stop("unsafe_number", start);
    if (Number.isInteger(value)) {
      // A double that came out as an integer must be the integer that was written: not 2^53+1 rounded down,
      // not 7500.00000000000000001 rounded to 7500, not 1e-400 rounded to 0.
      if (!Number.isSafeInteger(value) || !isWholeDecimal(whole, fraction ?? "", exponent ?? "0")) {
        this.#stop("unsafe_number", start);
      }
    }
    return value;
  }
}

/** Whether the decimal `whole.fraction e exponent` is an integer, by its digits alone. */
function isWholeDecimal(whole: string, fraction: string, exponent: string): boolean {
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return true;
  return Number(exponent) - fraction.length + (digits.length - significant.length) >= 0;
}

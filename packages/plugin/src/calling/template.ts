import {
  canonicalJson,
  currencyDigits,
  err,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseAmountText,
  type Result,
} from "@countersign/wire";

/**
 * A template: JSON in which an object with a `$` member stands for a value of the scope, named by a JSON Pointer
 * (RFC 6901) whose first step is a name of the scope. Closed on purpose: no expressions, no code, no loops but over a
 * list that is there.
 *
 * | written | stands for |
 * |---|---|
 * | `{"$from": P}` | the value at P; nothing there fails the whole template |
 * | `{"$from": P, "$else": T}` | the value at P, or T |
 * | `{"$maybe": P}` | the value at P; nothing there leaves the member or the item out |
 * | `{"$each": P, "$as": T}` | the list at P, each item (`/item`) through T; inside a list its items stand for it |
 * | `{"$minor": P, "$currency": P}` | a decimal amount at P (`"12.50"`, `12.5`) in the currency's minor units |
 * | `{"$digits": P}` | how many digits the currency at P has after the point |
 * | `{"$text": [T, ...], "$between": ", "}` | texts and whole numbers joined |
 */
export type Template = Json;

/** What a template can name. */
export type Scope = Readonly<Record<string, Json | undefined>>;

export type FillProblem =
  /** Nothing stands at the pointer. */
  | { readonly kind: "missing"; readonly at: string }
  /** Something else than what is needed stands there. */
  | { readonly kind: "unfit"; readonly at: string };

const FORMS: readonly (readonly string[])[] = [
  ["$from"],
  ["$else", "$from"],
  ["$maybe"],
  ["$as", "$each"],
  ["$currency", "$minor"],
  ["$digits"],
  ["$text"],
  ["$between", "$text"],
];
const TEMPLATE_DEPTH_MAX = 12;
const LIST_MAX = 500;

/** Fills a template. Pure; never throws for any scope. */
export function fill(template: Template, scope: Scope): Result<Json, FillProblem> {
  const filled = write(template, scope);
  if (!filled.ok) return filled;
  const [only, ...more] = filled.value;
  return only === undefined || more.length > 0 ? err({ kind: "unfit", at: "" }) : ok(only);
}

/** The value at a pointer of the scope. */
export function valueAt(pointer: string, scope: Scope): Json | undefined {
  let value: Json | undefined = scope as JsonObject;
  for (const step of stepsOf(pointer) ?? [""]) {
    if (value === undefined || value === null || typeof value !== "object") return undefined;
    if (Array.isArray(value)) {
      value = /^(0|[1-9][0-9]{0,5})$/.test(step) ? (value as readonly Json[])[Number(step)] : undefined;
    } else value = Object.hasOwn(value, step) ? (value as JsonObject)[step] : undefined;
  }
  return value;
}

/** What is wrong with a template, in a sentence; undefined when it is well formed and names only these. */
export function templateProblem(template: Template, names: readonly string[], depth = 0): string | undefined {
  if (depth > TEMPLATE_DEPTH_MAX) return "nested too deep";
  if (Array.isArray(template)) return firstProblem(template as readonly Json[], names, depth);
  if (template === null || typeof template !== "object") return undefined;
  const object = template as JsonObject;
  const members = Object.keys(object).filter((member) => member.startsWith("$"));
  if (members.length === 0) return firstProblem(Object.values(object), names, depth);
  const form = Object.keys(object).sort();
  if (!FORMS.some((known) => canonicalJson([...known]) === canonicalJson(form)))
    return `${form.join(", ")} is no form of a template`;
  for (const member of ["$from", "$maybe", "$each", "$minor", "$currency", "$digits"]) {
    const pointer = object[member];
    if (pointer === undefined) continue;
    const wrong = pointerProblem(pointer, names);
    if (wrong !== undefined) return wrong;
  }
  const { $else, $as, $text, $between } = object;
  if ($between !== undefined && typeof $between !== "string") return "$between is a text";
  if ($text !== undefined && !Array.isArray($text)) return "$text is a list";
  return (
    ($else === undefined ? undefined : templateProblem($else, names, depth + 1)) ??
    ($text === undefined ? undefined : templateProblem($text, names, depth + 1)) ??
    ($as === undefined ? undefined : templateProblem($as, [...names, "item"], depth + 1))
  );
}

export function pointerProblem(pointer: Json, names: readonly string[]): string | undefined {
  const steps = typeof pointer === "string" ? stepsOf(pointer) : undefined;
  if (steps === undefined) return "a pointer such as /answer/total is needed";
  return names.includes(steps[0] ?? "") ? undefined : `${steps[0]} is not known here; ${names.join(", ")} are`;
}

function firstProblem(all: readonly Json[], names: readonly string[], depth: number): string | undefined {
  for (const one of all) {
    const problem = templateProblem(one, names, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** None for what is left out, several for a list inside a list. */
type Written = Result<readonly Json[], FillProblem>;

function write(template: Template, scope: Scope): Written {
  if (template === null || typeof template !== "object") return ok([template]);
  if (Array.isArray(template)) {
    const items = writeAll(template as readonly Json[], scope, (one) => isEach(one));
    return items.ok ? ok([items.value]) : items;
  }
  const object = template as JsonObject;
  if (typeof object["$maybe"] === "string") {
    const value = valueAt(object["$maybe"], scope);
    return ok(value === undefined ? [] : [value]);
  }
  if (typeof object["$from"] === "string") {
    const value = valueAt(object["$from"], scope);
    if (value !== undefined) return ok([value]);
    const other = object["$else"];
    return other === undefined ? err({ kind: "missing", at: object["$from"] }) : write(other, scope);
  }
  if (isEach(object)) return writeEach(object, scope);
  if (typeof object["$minor"] === "string") return minorOf(object["$minor"], object["$currency"], scope);
  if (typeof object["$digits"] === "string") {
    const digits = currencyDigits(textAt(object["$digits"], scope) ?? "");
    return digits.ok ? ok([digits.value]) : err({ kind: "unfit", at: object["$digits"] });
  }
  if (Array.isArray(object["$text"])) return joined(object["$text"] as readonly Json[], object["$between"], scope);
  return writeMembers(object, scope);
}

function writeMembers(object: JsonObject, scope: Scope): Written {
  const members: [string, Json][] = [];
  for (const [name, value] of Object.entries(object)) {
    const filled = write(value, scope);
    if (!filled.ok) return filled;
    const [only] = filled.value;
    if (only !== undefined) members.push([name, only]);
  }
  return ok([Object.fromEntries(members)]);
}

function writeAll(
  templates: readonly Json[],
  scope: Scope,
  spliced: (one: Json) => boolean,
): Result<readonly Json[], FillProblem> {
  const items: Json[] = [];
  for (const one of templates) {
    const filled = write(one, scope);
    if (!filled.ok) return filled;
    for (const value of filled.value) {
      if (spliced(one) && Array.isArray(value)) items.push(...(value as readonly Json[]));
      else items.push(value);
    }
  }
  return ok(items);
}

function isEach(template: Json): boolean {
  return isJsonObject(template) && typeof template["$each"] === "string";
}

function writeEach(object: JsonObject, scope: Scope): Written {
  const at = object["$each"] as string;
  const list = valueAt(at, scope);
  if (list === undefined) return err({ kind: "missing", at });
  if (!Array.isArray(list) || list.length > LIST_MAX) return err({ kind: "unfit", at });
  const items: Json[] = [];
  for (const item of list as readonly Json[]) {
    const filled = write(object["$as"] ?? null, { ...scope, item });
    if (!filled.ok) return filled;
    items.push(...filled.value);
  }
  return ok([items]);
}

/** Digits only, never through a double: a JSON number is read by its shortest decimal form (lessons U55). */
function minorOf(at: string, currencyAt: Json | undefined, scope: Scope): Written {
  const amount = valueAt(at, scope);
  const currency = typeof currencyAt === "string" ? textAt(currencyAt, scope) : undefined;
  if (amount === undefined) return err({ kind: "missing", at });
  const text = typeof amount === "number" ? String(amount) : amount;
  if (typeof text !== "string" || currency === undefined || !/^[0-9]+(\.[0-9]+)?$/.test(text))
    return err({ kind: "unfit", at });
  const read = parseAmountText(text, { currency, decimal: "." });
  return read.ok ? ok([read.value.minor]) : err({ kind: "unfit", at });
}

function joined(parts: readonly Json[], between: Json | undefined, scope: Scope): Written {
  const filled = writeAll(parts, scope, () => true);
  if (!filled.ok) return filled;
  const texts = filled.value.map((part) => (Number.isSafeInteger(part) ? String(part) : part));
  if (!texts.every((part) => typeof part === "string")) return err({ kind: "unfit", at: "$text" });
  return ok([texts.join(typeof between === "string" ? between : "")]);
}

function textAt(pointer: string, scope: Scope): string | undefined {
  const value = valueAt(pointer, scope);
  return typeof value === "string" ? value : undefined;
}

function stepsOf(pointer: string): readonly string[] | undefined {
  if (!pointer.startsWith("/") || pointer.length > 500 || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import type { z } from "zod";
import { inputSchema } from "./published.ts";
import { calendarDate, currency, decimalText, ending, reference, siteNumber } from "./shapes.ts";

/** Shapes that a reader knows by a word. */
const KNOWN: readonly (readonly [z.ZodType, string])[] = [
  [reference, "reference"],
  [currency, "currency (ISO 4217)"],
  [calendarDate, "day"],
  [siteNumber, "number as the site writes it"],
  [ending, "last characters of a number"],
  [decimalText, "decimal digits"],
];
const WORDS = new Map(KNOWN.map(([shape, word]) => [inputSchema(shape)["pattern"], word]));

/** What a schema asks for as a table of members: what a reader needs, and the schema's own words for nothing else. */
export function membersTable(schema: JsonObject): string {
  const rows = membersOf(schema, "");
  if (rows.length === 0) return "Nothing.";
  const lines = rows.map(([member, what, needed]) => `| \`${member}\` | ${what} | ${needed} |`);
  return ["| member | what | needed |", "| --- | --- | --- |", ...lines].join("\n");
}

type Row = readonly [member: string, what: string, needed: "yes" | "no"];

function membersOf(schema: JsonObject, base: string): readonly Row[] {
  const properties = objectOf(schema["properties"]);
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  return Object.entries(properties).flatMap(([name, value]): readonly Row[] => {
    const member = objectOf(value);
    const path = `${base}${name}`;
    const what = name.endsWith("_at") && member["type"] === "string" ? "time (RFC 3339)" : whatOf(member);
    const row: Row = [path, what, required.has(name) ? "yes" : "no"];
    const items = objectOf(member["items"]);
    return items["type"] === "object" ? [row, ...membersOf(items, `${path}/*/`)] : [row];
  });
}

function whatOf(schema: JsonObject): string {
  const preset = schema["default"] === undefined ? "" : `, ${JSON.stringify(schema["default"])} if left out`;
  return kindOf(schema) + preset;
}

function kindOf(schema: JsonObject): string {
  const { enum: values, type, minimum, maximum, maxLength, maxItems } = schema;
  if (Array.isArray(values)) return `one of ${values.map((value) => `\`${String(value)}\``).join(", ")}`;
  switch (type) {
    case "integer":
      return `whole number${rangeOf(minimum, maximum)}`;
    case "boolean":
      return "true or false";
    case "string":
      return (
        WORDS.get(schema["pattern"]) ??
        `text${typeof maxLength === "number" ? `, at most ${maxLength} characters` : ""}${patternOf(schema["pattern"])}`
      );
    case "array": {
      const items = objectOf(schema["items"]);
      const of = items["type"] === "object" ? "rows" : `list of: ${kindOf(items)}`;
      return `${of}${typeof maxItems === "number" ? `, at most ${maxItems}` : ""}`;
    }
    default:
      return "an object";
  }
}

function rangeOf(minimum: Json | undefined, maximum: Json | undefined): string {
  const least = typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  if (least !== undefined) return `, ${least} or more`;
  return most === undefined ? "" : `, ${most} or less`;
}

function patternOf(pattern: Json | undefined): string {
  return typeof pattern === "string" ? ` (\`${pattern.replaceAll("|", "\\|")}\`)` : "";
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";

type JsonSchemaOf = z.ZodType["~standard"]["jsonSchema"]["input"];

/**
 * The same schema, whose JSON Schema is made once: a server lives for one request, and making it anew with each costs
 * more than the tool itself. It is frozen, since servers of different callers then share it.
 */
export function publishedOnce(schema: z.ZodType): StandardSchemaWithJSON {
  const standard = schema["~standard"];
  const { jsonSchema } = standard;
  return {
    "~standard": { ...standard, jsonSchema: { input: once(jsonSchema.input), output: once(jsonSchema.output) } },
  };
}

function once(make: JsonSchemaOf): JsonSchemaOf {
  const made = new Map<string, ReturnType<JsonSchemaOf>>();
  return (options) => {
    const known = made.get(options.target);
    if (known !== undefined) return known;
    const schema = frozen(make(options));
    made.set(options.target, schema);
    return schema;
  };
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

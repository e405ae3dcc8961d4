import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import { objectAt } from "../json.ts";

/** The four hints of a tool as they count, with the specification's defaults for those that are absent. */
export interface ReadHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/** What is read from one tool of a listing. Name and words are the server's: text, never instructions. */
export interface ReadTool {
  readonly name: string;
  readonly title: string;
  readonly hints: ReadHints;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Reads one tool as another server lists it; undefined for what is no tool. A hint that is absent, or no boolean, has
 * the specification's default, which is the worse value; "destructive" and "idempotent" say nothing of a tool that only
 * reads. No hint ever takes an approval away.
 */
export function readTool(tool: Json): ReadTool | undefined {
  if (!isJsonObject(tool)) return undefined;
  const { name, title } = tool;
  if (typeof name !== "string" || !NAME.test(name)) return undefined;
  const hints = objectAt(tool, "annotations") ?? {};
  const readOnly = hint(hints, "readOnlyHint", false);
  return {
    name,
    title: firstText(title, hints["title"]) ?? name,
    hints: {
      readOnly,
      destructive: !readOnly && hint(hints, "destructiveHint", true),
      idempotent: readOnly || hint(hints, "idempotentHint", false),
      openWorld: hint(hints, "openWorldHint", true),
    },
  };
}

function hint(hints: JsonObject, name: string, absent: boolean): boolean {
  const value = hints[name];
  return typeof value === "boolean" ? value : absent;
}

function firstText(...candidates: readonly (Json | undefined)[]): string | undefined {
  return candidates.find((candidate) => typeof candidate === "string");
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, it } from "vitest";

const SOURCES = import.meta.dirname;
/** What a person is shown or read out by these attributes. */
const SPOKEN = new Set(["aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "alt", "label"]);
const WORD = /\p{L}/u;

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Every literal of a file that a person would see or hear. */
function literals(name: string): readonly string[] {
  const { program, errors } = parseSync(name, readFileSync(join(SOURCES, name), "utf8"));
  expect(errors, name).toEqual([]);
  const found: string[] = [];
  const note = (text: unknown) => {
    if (typeof text === "string" && WORD.test(text)) found.push(`${name}: ${text.trim()}`);
  };
  /** The texts that an expression can be, as far as it says them itself. */
  const said = (node: Node): void => {
    if (node.type === "Literal") note(node["value"]);
    if (node.type === "TemplateLiteral")
      for (const part of nodes(node["quasis"])) note((part["value"] as { readonly cooked?: unknown }).cooked);
    if (node.type === "ConditionalExpression")
      for (const side of nodes(node["consequent"], node["alternate"])) said(side);
    if (node.type === "LogicalExpression") for (const side of nodes(node["left"], node["right"])) said(side);
    if (node.type === "JSXExpressionContainer") for (const inner of nodes(node["expression"])) said(inner);
  };
  const visit = (node: Node): void => {
    if (node.type === "JSXText") note(node["value"]);
    if (node.type === "JSXElement" || node.type === "JSXFragment")
      for (const child of nodes(node["children"])) if (child.type === "JSXExpressionContainer") said(child);
    if (node.type === "JSXAttribute" && SPOKEN.has(String((node["name"] as Node)["name"])))
      for (const value of nodes(node["value"])) said(value);
    for (const value of Object.values(node)) for (const inner of nodes(value)) visit(inner);
  };
  visit(program as unknown as Node);
  return found;
}

/** The nodes among these values, lists taken apart. */
function nodes(...values: readonly unknown[]): readonly Node[] {
  return values.flat().filter((v): v is Node => typeof v === "object" && v !== null && "type" in v);
}

it("every word that a person sees or hears stands in the one file of messages", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap(literals)).toEqual([]);
});

import { definitionDigest } from "@countersign/plugin";
import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";

/** The members of a tool's definition that a caller goes by; its icons and its private metadata are not among them. */
const MEMBERS = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** The digest that a tool is bound by (docs/mcp-client.md). */
export function toolDigest(tool: JsonObject): Promise<string> {
  return definitionDigest(Object.fromEntries(MEMBERS.map((member) => [member, tool[member]])));
}

/** The definitions of a listing's pages, by name; a name that stands there twice is nobody's. */
export function toolsByName(pages: readonly JsonObject[]): ReadonlyMap<string, JsonObject | "ambiguous"> {
  const found = new Map<string, JsonObject | "ambiguous">();
  for (const page of pages) {
    const { tools } = page;
    if (!Array.isArray(tools)) continue;
    for (const tool of tools as readonly Json[]) {
      if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
      found.set(tool["name"], found.has(tool["name"]) ? "ambiguous" : tool);
    }
  }
  return found;
}

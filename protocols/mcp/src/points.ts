import { definePoint } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";

/** What is said about an extension when it is offered: its settings, public and free of secrets. */
export interface McpExtension {
  readonly settings: JsonObject;
}

/** An extension of somebody's own; `identifier` is its key too. */
export interface VendorExtension extends McpExtension {
  readonly identifier: string;
}

/** The official extension for tasks that outlive a request; its identifier is reserved to the point `tasks`. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

const IDENTIFIER =
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+\/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const RESERVED = /^(io\.)?modelcontextprotocol\b|^(dev\.)?mcp\b/;

/** Offered while somebody contributes it; our own contribution stands by default. */
export const tasksExtensionPoint = definePoint({
  id: "mcp.extension.tasks",
  kind: "one",
  override: "declared",
  check: isExtension,
});

/** Any other extension, keyed by its identifier `vendor.example/name`: under a domain, and not the protocol's own. */
export const otherExtensionPoint = definePoint({
  id: "mcp.extension.other",
  kind: "keyed",
  override: "declared",
  check: (v): v is VendorExtension =>
    isExtension(v) && "identifier" in v && typeof v.identifier === "string" && isVendorIdentifier(v.identifier),
});

function isVendorIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !RESERVED.test(text);
}

function isExtension(v: unknown): v is McpExtension {
  if (typeof v !== "object" || v === null || !("settings" in v)) return false;
  return typeof v.settings === "object" && v.settings !== null && !Array.isArray(v.settings);
}

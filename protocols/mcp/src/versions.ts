/** Revisions that are spoken, newest first. */
export const MCP_VERSIONS: readonly string[] = ["2026-07-28", "2025-11-25"];
/** The path of the endpoint; with the issuer before it, the resource that tokens are for. */
export const MCP_PATH = "/mcp";

export { mcpPlugin } from "./plugin.ts";
export { type McpExtension, otherExtensionPoint, TASKS_EXTENSION, tasksExtensionPoint } from "./points.ts";
export { type ReadTool, readTool } from "./reading/tool.ts";
export { openMcp } from "./server/binding.ts";
export { MCP_PATH, MCP_VERSIONS } from "./versions.ts";

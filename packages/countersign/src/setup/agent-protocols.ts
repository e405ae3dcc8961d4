import { a2aPlugin } from "@countersign/a2a";
import type { Bundle } from "@countersign/plugin";
import { mcpPlugin } from "@countersign/protocol-mcp";

/** The protocols that ship with Countersign, delivered together; the bundle decides nothing (PLG-3). */
export const agentProtocols: Bundle = { name: "agent-protocols", plugins: [mcpPlugin, a2aPlugin] };

import { a2aPluginWith } from "@countersign/a2a";
import type { Bundle } from "@countersign/plugin";
import type { Application } from "@countersign/profile";
import { mcpPlugin } from "@countersign/protocol-mcp";
import { tapPlugin } from "@countersign/tap/plugin";
import { webBotAuthPlugin } from "@countersign/web-bot-auth/plugin";

/** The protocols that ship with Countersign, delivered together; the bundle decides nothing (PLG-3). */
export function agentProtocols(application?: Application): Bundle {
  const published = application?.a2a?.extensions ?? [];
  return { name: "agent-protocols", plugins: [mcpPlugin, a2aPluginWith({ published }), webBotAuthPlugin, tapPlugin] };
}

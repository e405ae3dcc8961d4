import type { BindingHost } from "@countersign/gateway";
import { type Binding, bindingPoint, definePlugin, type Plugin } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import { otherExtensionPoint, TASKS_EXTENSION, tasksExtensionPoint } from "./points.ts";
import { openMcp } from "./server/binding.ts";
import { MCP_VERSIONS } from "./versions.ts";

const ORDER = 200;

/** MCP as a plugin: agents reach the gateway at `/mcp` by Streamable HTTP. */
export const mcpPlugin: Plugin = definePlugin({
  manifest: {
    id: "protocol.mcp",
    version: "1",
    title: "Model Context Protocol",
    opens: [tasksExtensionPoint, otherExtensionPoint],
    uses: [bindingPoint],
    describes: {
      id: "mcp",
      name: "Model Context Protocol",
      versions: MCP_VERSIONS,
      publisher: "Model Context Protocol project",
      layer: "transport",
      roles: ["server"],
      state: "partial",
      points: [tasksExtensionPoint.id, otherExtensionPoint.id],
      catalogue: { id: "mcp", versions: MCP_VERSIONS },
      libraries: [{ name: "@modelcontextprotocol/server", version: "2.4.0" }],
    },
  },
  contribute(put, scope) {
    put(tasksExtensionPoint, { id: "tasks", value: { settings: {} } });
    const extensions = (): Readonly<Record<string, JsonObject>> => {
      const tasks = scope.get(tasksExtensionPoint);
      const others = [...scope.get(otherExtensionPoint)];
      const astray = others.find(([key, { identifier }]) => key !== identifier);
      if (astray !== undefined) throw new TypeError(`the extension ${astray[1].identifier} stands under another key`);
      return Object.fromEntries([
        ...(tasks === undefined ? [] : [[TASKS_EXTENSION, tasks.settings] as const]),
        ...others.map(([id, extension]) => [id, extension.settings] as const),
      ]);
    };
    put(bindingPoint, {
      id: "mcp",
      order: ORDER,
      value: mcpBinding(extensions),
    });
  },
});

/** The binding, with what it would offer for whoever looks: a test, the listing. */
function mcpBinding(extensions: () => Readonly<Record<string, JsonObject>>): McpBinding {
  return { id: "mcp", extensions, open: (host: BindingHost) => openMcp(host, extensions()) };
}

export interface McpBinding extends Binding {
  extensions(): Readonly<Record<string, JsonObject>>;
}

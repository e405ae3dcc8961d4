import type { BindingHost } from "@countersign/gateway";
import {
  type Binding,
  bindingPoint,
  definePlugin,
  GATEWAY_ORIGIN,
  type HttpEntry,
  httpPlace,
  httpPoint,
  type Plugin,
  routePoint,
} from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { lazyMcpRoute } from "./client/lazy.ts";
import { CLIENT_DOCUMENT_PATH, clientDocument } from "./client/oauth/client-document.ts";
import { otherExtensionPoint, TASKS_EXTENSION, tasksExtensionPoint } from "./points.ts";
import { openMcp } from "./server/binding.ts";
import { MCP_VERSIONS } from "./versions.ts";

const ORDER = 200;

/** Who we are to an upstream server's authorization server, where that one reads it from our own origin. */
const document: HttpEntry = {
  origin: GATEWAY_ORIGIN,
  method: "GET",
  path: CLIENT_DOCUMENT_PATH,
  auth: "public",
  handler: (request) => Promise.resolve(Response.json(clientDocument(new URL(request.url).origin))),
};

/**
 * MCP as a plugin, both ways: agents reach the gateway at `/mcp` by Streamable HTTP, and the gateway reaches upstream
 * servers whose tools an operator bound to operations (docs/mcp-client.md).
 */
export const mcpPlugin: Plugin = definePlugin({
  manifest: {
    id: "protocol.mcp",
    version: "1",
    title: "Model Context Protocol",
    opens: [tasksExtensionPoint, otherExtensionPoint],
    uses: [bindingPoint, routePoint, httpPoint],
    describes: {
      id: "mcp",
      name: "Model Context Protocol",
      versions: MCP_VERSIONS,
      publisher: "Model Context Protocol project",
      layer: "transport",
      roles: ["client", "server"],
      state: "partial",
      points: [tasksExtensionPoint.id, otherExtensionPoint.id],
      catalogue: { id: "mcp", versions: MCP_VERSIONS },
      libraries: [
        { name: "@modelcontextprotocol/client", version: "2.4.0" },
        { name: "@modelcontextprotocol/server", version: "2.4.0" },
      ],
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
    put(routePoint, { id: "mcp", key: "mcp", order: ORDER, value: lazyMcpRoute });
    const place = httpPlace(document);
    assert(place.ok, "our own document has a place");
    put(httpPoint, { id: "mcp.client_document", key: place.value, order: ORDER, value: document });
  },
});

/** The binding, with what it would offer for whoever looks: a test, the listing. */
function mcpBinding(extensions: () => Readonly<Record<string, JsonObject>>): McpBinding {
  return { id: "mcp", extensions, open: (host: BindingHost) => openMcp(host, extensions()) };
}

export interface McpBinding extends Binding {
  extensions(): Readonly<Record<string, JsonObject>>;
}

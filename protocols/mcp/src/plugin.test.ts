import { readFileSync } from "node:fs";
import {
  type AnyPoint,
  bindingPoint,
  buildProtocols,
  checkPlugin,
  definePlugin,
  gatewayPlugin,
  type Plugin,
  type PointsFile,
} from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { expect, it } from "vitest";
import { mcpPlugin, otherExtensionPoint, TASKS_EXTENSION, tasksExtensionPoint } from "./index.ts";

const points = JSON.parse(readFileSync(new URL("../points.json", import.meta.url), "utf8")) as PointsFile;
const VENDOR = "example.org/receipts";

it("PLG-4 the plugin is what its points file says", () => {
  const broken = checkPlugin({
    plugin: mcpPlugin,
    points,
    exported: [tasksExtensionPoint, otherExtensionPoint],
    sample: (point: AnyPoint) => (point === otherExtensionPoint ? vendor(VENDOR) : { settings: {} }),
    others: [gatewayPlugin],
  });
  expect(broken).toEqual([]);
});

it("PLG-2 what is offered is what is contributed: nothing more, and gone with its plugin", () => {
  expect(offered([])).toEqual({ [TASKS_EXTENSION]: {} });
  const more = extending("more", VENDOR, VENDOR);
  expect(offered([more])).toEqual({ [TASKS_EXTENSION]: {}, [VENDOR]: {} });
  const twice = buildProtocols([gatewayPlugin, mcpPlugin, more, extending("again", VENDOR, VENDOR)]);
  expect(!twice.ok && twice.problems.map((p) => p.code)).toEqual(["tie"]);
});

it("PLG-2 the protocol's own identifiers, and names under no domain, are nobody's to offer", () => {
  const names = [
    TASKS_EXTENSION,
    "modelcontextprotocol.io/x",
    "mcp.example/x",
    "tasks",
    "example.org/",
    "Example.org/x",
  ];
  for (const name of names) {
    const built = buildProtocols([gatewayPlugin, mcpPlugin, extending("x", name, name)]);
    expect([name, built.ok]).toEqual([name, false]);
  }
  expect(() => offered([extending("x", "example.org/a", "example.org/b")])).toThrow("under another key");
});

function vendor(identifier: string) {
  return { identifier, settings: {} };
}

function extending(id: string, key: string, identifier: string): Plugin {
  return definePlugin({
    manifest: { id: `test.${id}`, version: "1", title: id, opens: [], uses: [otherExtensionPoint] },
    contribute: (put) => put(otherExtensionPoint, { id, key, order: 10, value: vendor(identifier) }),
  });
}

/** What the binding would offer: read where the gateway reads it. */
function offered(more: readonly Plugin[]): JsonObject {
  const built = buildProtocols([gatewayPlugin, mcpPlugin, ...more]);
  assert(built.ok, "it builds");
  const [binding] = built.kernel.scope(gatewayPlugin.manifest.id).get(bindingPoint);
  assert(binding !== undefined, "MCP is a binding");
  return (binding as unknown as { extensions(): JsonObject }).extensions();
}

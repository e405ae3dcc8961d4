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
import {
  type A2aBinding,
  type A2aExtension,
  a2aPlugin,
  extensionProblems,
  FACE_URI,
  faceExtensionPoint,
  ORCHESTRATION_URI,
  orchestrationExtensionPoint,
  otherExtensionPoint,
} from "./index.ts";

const points = JSON.parse(readFileSync(new URL("../points.json", import.meta.url), "utf8")) as PointsFile;
const URI = "https://extensions.example/receipts/v1";

function other(uri: string, more: Partial<A2aExtension> = {}): A2aExtension {
  return { uri, description: "Of a test.", required: false, ...more };
}

function extending(id: string, value: A2aExtension, key = value.uri): Plugin {
  return definePlugin({
    manifest: { id: `test.${id}`, version: "1", title: id, opens: [], uses: [otherExtensionPoint] },
    contribute: (put) => put(otherExtensionPoint, { id, key, order: 10, value }),
  });
}

/** What the card would publish: read where the gateway reads it. */
function published(more: readonly Plugin[]): readonly string[] {
  const built = buildProtocols([gatewayPlugin, a2aPlugin, ...more]);
  assert(built.ok, "it builds");
  const [binding] = built.kernel.scope(gatewayPlugin.manifest.id).get(bindingPoint);
  assert(binding !== undefined, "A2A is a binding");
  return (binding as unknown as A2aBinding).extensions().map(({ uri }) => uri);
}

it("PLG-4 the plugin is what its points file says", () => {
  const samples = new Map<AnyPoint, A2aExtension>([
    [orchestrationExtensionPoint, other(ORCHESTRATION_URI)],
    [faceExtensionPoint, other(FACE_URI)],
  ]);
  const broken = checkPlugin({
    plugin: a2aPlugin,
    points,
    exported: [orchestrationExtensionPoint, faceExtensionPoint, otherExtensionPoint],
    sample: (point: AnyPoint) => samples.get(point) ?? other(URI),
    others: [gatewayPlugin],
  });
  expect(broken).toEqual([]);
});

it("PLG-2 what is published is what is contributed, ours first: nothing more, and gone with its plugin", () => {
  expect(published([])).toEqual([ORCHESTRATION_URI, FACE_URI]);
  const more = extending("more", other(URI));
  expect(published([more])).toEqual([ORCHESTRATION_URI, FACE_URI, URI]);
  const twice = buildProtocols([gatewayPlugin, a2aPlugin, more, extending("again", other(URI))]);
  expect(!twice.ok && twice.problems.map((p) => p.code)).toEqual(["tie"]);
});

it("PLG-6 reserved, twice, badly spelt and with a credential: refused when the set is built, and no value is told", () => {
  const wrong: readonly [string, A2aExtension][] = [
    ["reserved", other("urn:countersign:mine")],
    ["reserved in other letters", other("URN:CounterSign:mine")],
    ["one of ours", other(FACE_URI)],
    ["not in its plain form", other("https://Extensions.example/receipts/v1")],
    ["over plain http", other("http://extensions.example/x")],
    ["a credential", other(URI, { params: { a: [{ api_key: "planted" }] } })],
  ];
  for (const [what, value] of wrong) {
    const built = buildProtocols([gatewayPlugin, a2aPlugin, extending("x", value)]);
    expect([what, built.ok]).toEqual([what, false]);
    expect(JSON.stringify(built)).not.toContain("planted");
  }
  expect(() => published([extending("x", other(URI), "https://extensions.example/other")])).toThrow(
    "under another key",
  );
});

it("PLG-6 what is said of a refused card names the place and never the value", () => {
  const params: JsonObject = { modes: [{ client_secret: "planted" }] };
  const [problem] = extensionProblems([{ uri: URI, params, whose: "others" }]);
  expect(problem).toContain("/modes/0/client_secret");
  expect(problem).not.toContain("planted");
});

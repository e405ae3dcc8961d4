import type { BindingHost } from "@countersign/gateway";
import { type Binding, bindingPoint, definePlugin, type Plugin, routePoint } from "@countersign/plugin";
import { lazyA2aRoute } from "./client/lazy.ts";
import { type A2aExtension, type CardExtension, clientExtensions } from "./extensions/extension.ts";
import { FACE, ORCHESTRATION } from "./extensions/own.ts";
import { faceExtensionPoint, orchestrationExtensionPoint, otherExtensionPoint } from "./points.ts";
import { type DoorOptions, openA2a } from "./server/binding.ts";
import { A2A_VERSIONS } from "./versions.ts";

const ORDER = 200;

/**
 * A2A as a plugin, both ways: agents reach the gateway at `/a2a`, by the card at its well-known place, and the gateway
 * reaches remote agents whose skills an operator bound to operations (docs/a2a-client.md).
 */
export const a2aPlugin: Plugin = a2aPluginWith({});

export interface PluginOptions extends DoorOptions {
  /** What the application of this gateway adds to the card, in its order (plugins.md section 3 rule 4). */
  readonly published?: readonly CardExtension[];
}

/** The same with what an application publishes, or with other bounds for tests. */
export function a2aPluginWith(options: PluginOptions): Plugin {
  const { published = [] } = options;
  return definePlugin({
    manifest: {
      id: "protocol.a2a",
      version: "1",
      title: "Agent2Agent protocol",
      opens: [orchestrationExtensionPoint, faceExtensionPoint, otherExtensionPoint],
      uses: [bindingPoint, routePoint],
      describes: {
        id: "a2a",
        name: "Agent2Agent Protocol",
        versions: A2A_VERSIONS,
        publisher: "Linux Foundation",
        layer: "transport",
        roles: ["client", "server"],
        state: "implemented",
        points: [orchestrationExtensionPoint.id, faceExtensionPoint.id, otherExtensionPoint.id],
        catalogue: { id: "a2a", versions: A2A_VERSIONS },
        libraries: [{ name: "@a2a-js/sdk", version: "1.3.0" }],
      },
    },
    contribute(put, scope) {
      put(orchestrationExtensionPoint, { id: "orchestration", value: ORCHESTRATION });
      put(faceExtensionPoint, { id: "face", value: FACE });
      /** Ours first, then the others by key, then the application's as written: nothing more (PLG-2, PLG-6). */
      const extensions = (): readonly A2aExtension[] => {
        const others = [...scope.get(otherExtensionPoint)];
        const astray = others.find(([key, { uri }]) => key !== uri);
        if (astray !== undefined) throw new TypeError(`the extension ${astray[1].uri} stands under another key`);
        return [
          scope.get(orchestrationExtensionPoint),
          scope.get(faceExtensionPoint),
          ...others.map(([, one]) => one),
          ...published,
        ].flatMap((one) => (one === undefined ? [] : [one]));
      };
      const binding: A2aBinding = {
        id: "a2a",
        extensions,
        open: (host: BindingHost) => openA2a(host, extensions(), options),
      };
      put(bindingPoint, { id: "a2a", order: ORDER, value: binding });
      put(routePoint, {
        id: "a2a",
        key: "a2a",
        order: ORDER,
        value: () => lazyA2aRoute(() => clientExtensions(extensions())),
      });
    },
  });
}

/** The binding, with what its card would publish for whoever looks: a test, the listing. */
export interface A2aBinding extends Binding {
  extensions(): readonly A2aExtension[];
}

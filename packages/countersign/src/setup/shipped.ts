import { evershop } from "@countersign/adapter-evershop";
import { practiceBank } from "@countersign/adapter-practice-bank";
import { practiceClinic } from "@countersign/adapter-practice-clinic";
import { practiceInsurer } from "@countersign/adapter-practice-insurer";
import { practiceShop } from "@countersign/adapter-practice-shop";
import { practiceSubscriptions } from "@countersign/adapter-practice-subscriptions";
import { practiceUtility } from "@countersign/adapter-practice-utility";
import { vendure } from "@countersign/adapter-vendure";
import { pinHost } from "@countersign/gateway";
import {
  type Bundle,
  buildProtocols,
  cataloguePoint,
  definePlugin,
  gatewayPlugin,
  identityPoint,
  type Kernel,
  operationPoint,
  type Plugin,
  routePoint,
  type Site,
} from "@countersign/plugin";
import { type Application, OPERATIONS } from "@countersign/profile";
import { createBrowserRoute } from "@countersign/route-browser";
import { createHttpRoute } from "@countersign/route-http";
import { err, ok, type Result } from "@countersign/wire";
import type { OutsidePlugins } from "../plugins/load.ts";
import { agentProtocols, type IdentityOptions, trustedWithIdentity } from "./agent-protocols.ts";

const ORDER = 200;

export interface ShippedOptions extends IdentityOptions {
  readonly chromium: string;
  readonly sandbox: "on" | "off";
  /** Sites of destinations whose operations the operator bound. */
  readonly sites?: readonly Site[];
  /** What runs behind this gateway, as its file says it. */
  readonly application?: Application;
}

/** What this build of Countersign ships with, as plugins: the catalogue, the two general routes, the site adapters, the protocols. */
function shippedPlugins(options: ShippedOptions, profileRoot: string): readonly (Plugin | Bundle)[] {
  const catalogue = definePlugin({
    manifest: {
      id: "catalogue.profile",
      version: "1",
      title: "The profile's operations",
      opens: [],
      uses: [cataloguePoint],
    },
    contribute(put) {
      for (const operation of OPERATIONS)
        put(cataloguePoint, { id: operation.id, key: operation.id, value: operation, order: ORDER });
    },
  });
  const http = definePlugin({
    manifest: { id: "route.http", version: "1", title: "A site's own API", opens: [], uses: [routePoint] },
    contribute: (put) => put(routePoint, { id: "http", key: "http", order: ORDER, value: () => createHttpRoute() }),
  });
  const browser = definePlugin({
    manifest: {
      id: "route.browser",
      version: "1",
      title: "A signed-in browser",
      opens: [],
      uses: [routePoint, identityPoint],
    },
    contribute: (put, scope) =>
      put(routePoint, {
        id: "browser",
        key: "browser",
        order: ORDER,
        value: (guard) =>
          createBrowserRoute({
            executablePath: options.chromium,
            sandbox: options.sandbox,
            profileRoot,
            signs: ({ id }) =>
              scope.get(identityPoint).size > 0 && options.identity?.notInBrowser.includes(id) !== true,
            resolve: async (host, port) => {
              const pinned = await pinHost(guard, host, port);
              if (pinned.ok) return pinned;
              return err(pinned.reason === "unresolvable" ? "not_found" : "address_refused");
            },
          }),
      }),
  });
  return [
    gatewayPlugin,
    catalogue,
    http,
    browser,
    sitePlugin(practiceShop),
    sitePlugin(practiceBank),
    sitePlugin(practiceUtility),
    sitePlugin(practiceClinic),
    sitePlugin(practiceInsurer),
    sitePlugin(practiceSubscriptions),
    sitePlugin(evershop),
    sitePlugin(vendure),
    ...(options.sites ?? []).map(sitePlugin),
    agentProtocols(options.application, options),
  ];
}

/** The set of this gateway: what ships, and what the host named beside it. The reason is every problem of the set. */
export function shippedKernel(
  options: ShippedOptions,
  profileRoot: string,
  outside: OutsidePlugins = { plugins: [], trusted: [] },
): Result<Kernel, string> {
  const built = buildProtocols([...shippedPlugins(options, profileRoot), ...outside.plugins], {
    trusted: [...trustedWithIdentity(options), ...outside.trusted],
  });
  return built.ok ? ok(built.kernel) : err(built.problems.map((p) => p.message).join("; "));
}

function sitePlugin(site: Site): Plugin {
  return definePlugin({
    // A destination that is called has a site of its own, whose id has a dot in it.
    manifest: {
      id: `site.${site.id.replaceAll(".", "_")}`,
      version: site.version,
      title: site.title,
      opens: [],
      uses: [operationPoint],
    },
    contribute: (put) => put(operationPoint, { id: site.id, key: site.id, value: site, order: ORDER }),
  });
}

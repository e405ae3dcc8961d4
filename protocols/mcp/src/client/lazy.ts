import type { Route } from "@countersign/plugin";

/** The route, loaded when it is first used: a gateway without such a destination starts without the protocol's client. */
export function lazyMcpRoute(): Route {
  let loading: Promise<Route> | undefined;
  const route = (): Promise<Route> => {
    loading ??= import("./route.ts").then(({ createMcpRoute }) => createMcpRoute());
    return loading;
  };
  return {
    kind: "mcp",
    open: async (...given) => (await route()).open(...given),
    beginSignIn: async (...given) => (await route()).beginSignIn(...given),
    giveBack: async (...given) => (await route()).giveBack?.(...given),
    stop: async () => (await loading)?.stop(),
  };
}

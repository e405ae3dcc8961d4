import type { Route } from "@countersign/plugin";
import type { ClientExtension } from "../extensions/extension.ts";

/** The route, loaded when it is first used: a gateway without such a destination starts without the protocol's client. */
export function lazyA2aRoute(extensions: () => readonly ClientExtension[]): Route {
  let loading: Promise<Route> | undefined;
  const route = (): Promise<Route> => {
    loading ??= import("./route.ts").then(({ createA2aRoute }) => createA2aRoute({ extensions }));
    return loading;
  };
  return {
    kind: "a2a",
    open: async (...given) => (await route()).open(...given),
    beginSignIn: async (...given) => (await route()).beginSignIn(...given),
    stop: async () => (await loading)?.stop(),
  };
}

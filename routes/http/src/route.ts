import type { Destination, Route, SiteEntry } from "@countersign/plugin";
import { err, ok } from "@countersign/wire";
import { fromMaterial } from "./material.ts";
import { type HttpSession, httpSession } from "./session.ts";
import { formSignIn, type HttpSignIn } from "./sign-in.ts";

/** A destination reached by its own API. */
export type HttpSite = SiteEntry<HttpSession, HttpSignIn>;

/** Reaches destinations by their API, with a token from the vault, through the gateway's one egress. */
export function createHttpRoute(): Route {
  return {
    kind: "http",
    async open(ctx, destination, material) {
      const kept = fromMaterial(material, ctx.now());
      if (!kept.ok) return err("sign_in");
      const { token } = kept.value;
      return ok({
        session: httpSession(ctx, destination, token),
        secrets: async () => [token],
        material: async () => undefined,
        close: async () => {},
      });
    },
    async beginSignIn(ctx, destination) {
      const entry = httpEntry(destination);
      return formSignIn(ctx, destination, entry.signIn, (c, session) => entry.identify(c, session));
    },
    stop: async () => {},
  };
}

/** The registry keeps a route and its entries together; this is where the type says so. */
function httpEntry(destination: Destination): HttpSite {
  if (destination.entry.route !== "http") throw new Error("an entry of another route");
  return destination.entry as unknown as HttpSite;
}

import type { Destination, Route, SiteEntry } from "@countersign/plugin";
import { assert, err, ok } from "@countersign/wire";
import { fromMaterial } from "./material.ts";
import { type HttpSession, httpSession } from "./session.ts";
import { formSignIn, type HttpSignIn } from "./sign-in.ts";

/** A destination reached by its own API. */
export type HttpSite = SiteEntry<HttpSession, HttpSignIn>;

/**
 * Reaches destinations by their own API (MAP-5): a token from the vault, every request through the gateway's one egress.
 * The token is not renewed here; once the site no longer takes it the person signs in again.
 */
export function createHttpRoute(): Route {
  return {
    kind: "http",
    async open(ctx, destination, material) {
      const kept = fromMaterial(material, ctx.now());
      if (!kept.ok) {
        ctx.log.info("http.material_unusable", { destination: destination.id, why: kept.reason });
        return err("sign_in");
      }
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
      return ok(
        formSignIn({
          ctx,
          destination,
          signIn: entry.signIn,
          identify: (session) => entry.identify(ctx, session),
        }),
      );
    },
    stop: async () => {},
  };
}

/** The registry gives a route the entries of its own kind only; here the types hear of it. */
function httpEntry(destination: Destination): HttpSite {
  assert(destination.entry.route === "http", "an entry of the http route");
  return destination.entry as HttpSite;
}

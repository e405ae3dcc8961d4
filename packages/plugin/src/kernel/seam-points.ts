import type { Operation } from "@countersign/profile";
import type { Result } from "@countersign/wire";
import type { AccessService } from "../seams/access.ts";
import type { Site } from "../seams/adapter.ts";
import type { CallerIdentity } from "../seams/calling.ts";
import { httpPlace, isFixedPath } from "../seams/http-place.ts";
import type { Authority, Binding, HttpEntry, IdentitySigner } from "../seams/others.ts";
import type { Route } from "../seams/route.ts";
import { definePlugin, type Plugin } from "./plugin.ts";
import { definePoint } from "./point.ts";

const has =
  (...members: readonly string[]) =>
  (candidate: unknown): boolean =>
    typeof candidate === "object" && candidate !== null && members.every((member) => member in candidate);

/** How does an agent reach us? */
export const bindingPoint = definePoint({
  id: "gateway.binding",
  kind: "all",
  override: "declared",
  check: (v): v is Binding => has("id", "open")(v) && typeof (v as Binding).open === "function",
});

/** Makes a route behind the gateway's address guard (the gateway's `Guard`; a route narrows it to what it needs). */
export type RouteFactory = (guard: AddressGuard) => Route;

/** Where a connection may go: a host is resolved once and its address pinned, or the connection is refused (U51). */
export interface AddressGuard {
  readonly pin: (url: {
    readonly hostname: string;
    readonly port: number;
    readonly origin: string;
  }) => Promise<Result<{ readonly address: string; readonly family: 4 | 6 }, string>>;
}

/** How do we reach the destination? Keyed by the kind of route. */
export const routePoint = definePoint({
  id: "gateway.route",
  kind: "keyed",
  override: "declared",
  check: (v): v is RouteFactory => typeof v === "function",
});

/** How do we prove who is calling? */
export const identityPoint = definePoint({
  id: "gateway.identity",
  kind: "keyed",
  override: "host",
  check: (v): v is IdentitySigner => has("sign")(v),
});

/** How does a caller prove who operates it? */
export const callerPoint = definePoint({
  id: "gateway.caller",
  kind: "keyed",
  override: "host",
  check: (v): v is CallerIdentity => has("open")(v) && typeof (v as CallerIdentity).open === "function",
});

/** What consent or mandate comes from outside? */
export const authorityPoint = definePoint({
  id: "gateway.authority",
  kind: "keyed",
  override: "host",
  check: (v): v is Authority => has("title", "enrol", "verify")(v),
});

/** What do we serve? Keyed by `httpPlace`, so that two at one place fail the build; the gateway looks at keys again. */
export const httpPoint = definePoint({
  id: "gateway.http",
  kind: "keyed",
  override: "declared",
  check: isHttpEntry,
});

/** The same for what a binding answers when it is opened. */
export function isHttpEntry(v: unknown): v is HttpEntry {
  if (!has("origin", "method", "path", "auth", "handler")(v)) return false;
  const { origin, method, path, auth, resource, handler } = v as Readonly<Record<string, unknown>>;
  if (typeof origin !== "string" || typeof method !== "string" || typeof path !== "string") return false;
  if (typeof handler !== "function" || (auth !== "public" && auth !== "agent")) return false;
  if (resource !== undefined && (typeof resource !== "string" || !isFixedPath(resource))) return false;
  return httpPlace({ origin, method, path }).ok;
}

/** How may anything leave? The built-in guarded client stands unless the host puts another. */
export const egressPoint = definePoint({
  id: "gateway.egress",
  kind: "one",
  override: "host",
  check: (v): v is EgressFactory => typeof v === "function",
});

/** Makes an egress behind the gateway's address guard; the gateway knows both shapes. */
export type EgressFactory = (guard: never) => object;

/** What can be done, where? Site adapters, keyed by site. */
export const operationPoint = definePoint({
  id: "gateway.operation",
  kind: "keyed",
  override: "declared",
  check: (v): v is Site => has("id", "title", "version", "entries")(v),
});

/** Further operations of the catalogue, keyed by their id. */
export const cataloguePoint = definePoint({
  id: "gateway.catalogue",
  kind: "keyed",
  override: "declared",
  check: (v): v is Operation => has("id", "effect", "parameters", "result")(v),
});

/** Who gets past a site's bot check? Keyed by its sort; none is shipped, and none of it decides anything (MFA-5). */
export const accessPoint = definePoint({
  id: "gateway.access",
  kind: "keyed",
  override: "host",
  check: (v): v is AccessService => has("pass")(v),
});

/** The gateway as a plugin: it opens its seams and fills none. */
export const gatewayPlugin: Plugin = definePlugin({
  manifest: {
    id: "core.gateway",
    version: "1",
    title: "The execution gateway",
    opens: [
      bindingPoint,
      routePoint,
      identityPoint,
      callerPoint,
      authorityPoint,
      httpPoint,
      egressPoint,
      operationPoint,
      cataloguePoint,
      accessPoint,
    ],
    uses: [],
  },
  contribute() {},
});

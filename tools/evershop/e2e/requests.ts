import type { CuttingProxy, Exchange } from "../cutting-proxy.ts";

/** What a request is, whichever cart, order or build of the shop's scripts it is about. */
export function kindOf(exchange: Pick<Exchange, "method" | "path">): string {
  const path = exchange.path
    .split("/")
    .map((part) => (/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/.test(part) ? "*" : part))
    .join("/");
  return `${exchange.method} ${/\.(?:js|css|png|jpe?g|webp|svg|ico|woff2?|map|json)$/.test(path) ? "an asset" : path}`;
}

export function kindsSeen(proxy: CuttingProxy): ReadonlySet<string> {
  return new Set(proxy.exchanges().map(kindOf));
}

function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    if (segment.startsWith(":")) {
      if (value === "") return undefined;
      params[segment.slice(1)] = value;
    } else if (segment !== value) return undefined;
  }
  return params;
}

export type Match<R> =
  | { readonly kind: "route"; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "other_method" }
  | { readonly kind: "none" };

/** Finds the route of a request; a HEAD is answered by its GET. */
export function matchRoute<R extends { readonly method: string; readonly path: string }>(
  routes: readonly R[],
  method: string,
  path: string,
): Match<R> {
  let pathKnown = false;
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (!params) continue;
    pathKnown = true;
    if (route.method === (method === "HEAD" ? "GET" : method)) return { kind: "route", route, params };
  }
  return pathKnown ? { kind: "other_method" } : { kind: "none" };
}

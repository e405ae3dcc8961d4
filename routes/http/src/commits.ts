import type { RequestPattern } from "@countersign/plugin";

/**
 * Which commit a request is, if any. `*` stands for one segment; the query does not count. Segments are compared decoded
 * and empty ones dropped, since servers read `/api//%6frders/` as `/api/orders`.
 */
export function commitOf(method: string, url: URL, patterns: readonly RequestPattern[]): RequestPattern | undefined {
  const given = segments(url.pathname);
  return patterns.find((pattern) => {
    const wanted = segments(pattern.path);
    return (
      pattern.method === method && wanted.length === given.length && wanted.every((w, i) => w === "*" || w === given[i])
    );
  });
}

function segments(path: string): readonly string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

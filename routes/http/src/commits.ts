import type { RequestPattern } from "@countersign/plugin";
import { asksDocument } from "@countersign/plugin/site";
import type { Json } from "@countersign/wire";

/**
 * Which commit a request is, if any. `*` stands for one segment; the query does not count. Segments are compared decoded
 * and empty ones dropped, since servers read `/api//%6frders/` as `/api/orders`. Where a path takes reads and commits
 * alike, what is not a declared read commits.
 * @param body as it will be sent, before it is written as JSON.
 */
export function commitOf(
  method: string,
  url: URL,
  patterns: readonly RequestPattern[],
  body?: Json,
): RequestPattern | undefined {
  const given = segments(url.pathname);
  return patterns.find((pattern) => {
    const wanted = segments(pattern.path);
    const fits =
      pattern.method === method &&
      wanted.length === given.length &&
      wanted.every((w, i) => w === "*" || w === given[i]);
    const harmless =
      pattern.exceptDocuments !== undefined &&
      body !== undefined &&
      asksDocument(JSON.stringify(body), pattern.exceptDocuments);
    return fits && !harmless;
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

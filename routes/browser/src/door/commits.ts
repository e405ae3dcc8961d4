import type { RequestPattern } from "@countersign/plugin";

/** The commits of one origin that a browser must not let out by itself. */
export interface Commits {
  /** As the URL standard writes it. */
  readonly origin: string;
  readonly patterns: readonly RequestPattern[];
}

/**
 * Which commit a request is, if any. Origin and method are exact, `*` stands for one segment, the query is ignored.
 * Segments are compared decoded and empty ones dropped, since servers read `/api//%63art/` as `/api/cart`.
 */
export function commitOf(method: string, url: string, guarded: Iterable<Commits>): RequestPattern | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  for (const commits of guarded) {
    if (commits.origin !== origin) continue;
    const found = commits.patterns.find((each) => each.method === method.toUpperCase() && matches(each.path, pathname));
    if (found) return found;
  }
  return undefined;
}

function matches(pattern: string, pathname: string): boolean {
  const want = segments(pattern);
  const have = segments(pathname);
  return want.length === have.length && want.every((each, i) => each === "*" || each === have[i]);
}

function segments(path: string): readonly string[] {
  return path
    .split("/")
    .filter((each) => each !== "")
    .map(decode);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function samePattern(a: RequestPattern, b: RequestPattern): boolean {
  return a.method === b.method && a.path === b.path;
}

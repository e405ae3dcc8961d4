import { err, ok, type Result } from "@countersign/wire";

/** Where an entry stands, for entries at the gateway's own origin, which no plugin knows when it is written. */
export const GATEWAY_ORIGIN = "gateway";

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export type PlaceProblem =
  | "its origin is neither the gateway's nor an origin"
  | "its method is not one that is served"
  | "its path is not written the one way that it can be written"
  | "its path begins with something other than a fixed name"
  | "the trusted interface is nobody's to claim";

const SEGMENTS_MAX = 12;
// Nothing that an encoding could say in another way: no percent, no backslash, no empty and no dot segment.
const FIXED = /^[A-Za-z0-9._~-]{1,80}$/;
const PARAMETER = /^:[a-z][A-Za-z0-9]{0,30}$/;
const TRUSTED = "trusted";
const WELL_KNOWN = ".well-known";

/**
 * The place of an entry as one text, equal for two that a server, a proxy or a person could take for one another: names
 * of parameters do not count, nor does the case of letters. Everything that has a second spelling is refused, so nothing
 * reaches `/trusted` by dots, case, percent signs or double slashes.
 */
export function httpPlace(entry: {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
}): Result<string, PlaceProblem> {
  if (!isOrigin(entry.origin)) return err("its origin is neither the gateway's nor an origin");
  if (!HTTP_METHODS.some((method) => method === entry.method)) return err("its method is not one that is served");
  const segments = segmentsOf(entry.path);
  if (segments === undefined) return err("its path is not written the one way that it can be written");
  const [first = "", second = ""] = segments;
  if (!FIXED.test(first) || (first.toLowerCase() === WELL_KNOWN && !FIXED.test(second)))
    return err("its path begins with something other than a fixed name");
  if (first.toLowerCase() === TRUSTED) return err("the trusted interface is nobody's to claim");
  const path = segments.map((segment) => (PARAMETER.test(segment) ? ":" : segment.toLowerCase())).join("/");
  return ok(`${entry.method} ${entry.origin}/${path}`);
}

/** A path of fixed names, as the resource of an entry is written. */
export function isFixedPath(path: string): boolean {
  return segmentsOf(path)?.every((segment) => FIXED.test(segment)) === true;
}

function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith("/")) return undefined;
  const segments = path.slice(1).split("/");
  const fine = segments.every(
    (segment) => (FIXED.test(segment) && segment !== "." && segment !== "..") || PARAMETER.test(segment),
  );
  return fine && segments.length <= SEGMENTS_MAX ? segments : undefined;
}

function isOrigin(text: string): boolean {
  if (text === GATEWAY_ORIGIN) return true;
  return URL.canParse(text) && new URL(text).origin === text;
}

import type { Destination, ViewMessage } from "@countersign/plugin";

/** Origin and path only: queries and fragments carry codes and tokens. */
export function locationOf(
  url: string,
  destination: Pick<Destination, "origin" | "alsoOrigins">,
): Extract<ViewMessage, { type: "location" }> {
  if (!/^https?:/.test(url) || !URL.canParse(url))
    return { type: "location", origin: "null", path: "", trusted: false };
  const { origin, pathname } = new URL(url);
  const trusted = [destination.origin, ...destination.alsoOrigins].some(
    (each) => URL.canParse(each) && new URL(each).origin === origin,
  );
  return { type: "location", origin, path: pathname, trusted };
}

/** A page may not grow or shrink a picture beyond use. */
export function clampSize(
  size: { readonly width: number; readonly height: number },
  least: { readonly width: number; readonly height: number },
  most: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number } {
  const clamp = (value: number, min: number, max: number) =>
    Number.isFinite(value) ? Math.min(Math.max(Math.round(value), min), max) : min;
  return { width: clamp(size.width, least.width, most.width), height: clamp(size.height, least.height, most.height) };
}

import { isLoopbackHost } from "@countersign/wire";
import { createGuard, type Guard } from "./guard.ts";

/** Whether addresses that others name may also stand on this very machine, for development; never anywhere between. */
export type AllowedPlaces = "https" | "loopback_too";

/** For addresses that others name: public ones; where the operator says so, this machine too, and nothing between. */
export function publicGuard(places: AllowedPlaces): Guard {
  const guard = createGuard({ namedOrigins: new Set() });
  if (places !== "loopback_too") return guard;
  return {
    pin: (url) =>
      isLoopbackHost(url.hostname) ? createGuard({ namedOrigins: new Set([url.origin]) }).pin(url) : guard.pin(url),
  };
}

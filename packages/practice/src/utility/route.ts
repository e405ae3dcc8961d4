import type { SiteRoute } from "../http/exchange.ts";
import type { UtilityWorld } from "./world.ts";

export type UtilityRoute = SiteRoute<UtilityWorld>;

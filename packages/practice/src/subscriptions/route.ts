import type { SiteRoute } from "../http/exchange.ts";
import type { LanternWorld } from "./world.ts";

export type LanternRoute = SiteRoute<LanternWorld>;

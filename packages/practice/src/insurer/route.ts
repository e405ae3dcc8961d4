import type { SiteRoute } from "../http/exchange.ts";
import type { InsurerWorld } from "./world.ts";

export type InsurerRoute = SiteRoute<InsurerWorld>;

import type { SiteRoute } from "../http/exchange.ts";
import type { World } from "./world.ts";

export type Route = SiteRoute<World>;

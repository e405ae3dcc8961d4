import type { SiteRoute } from "../http/exchange.ts";
import type { ClinicWorld } from "./world.ts";

export type ClinicRoute = SiteRoute<ClinicWorld>;

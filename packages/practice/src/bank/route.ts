import type { SiteRoute } from "../http/exchange.ts";
import type { BankWorld } from "./world.ts";

export type BankRoute = SiteRoute<BankWorld>;

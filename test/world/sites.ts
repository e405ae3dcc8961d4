import { bankInWorld } from "./bank.ts";
import { clinicInWorld } from "./clinic.ts";
import { insurerInWorld } from "./insurer.ts";
import { shopInWorld } from "./shop.ts";
import type { WorldSite } from "./site.ts";
import { subscriptionsInWorld } from "./subscriptions.ts";
import { utilityInWorld } from "./utility.ts";

/** The sites of the practice world that are in the table. */
export const WORLD_SITES: readonly WorldSite[] = [
  bankInWorld,
  clinicInWorld,
  insurerInWorld,
  shopInWorld,
  subscriptionsInWorld,
  utilityInWorld,
];

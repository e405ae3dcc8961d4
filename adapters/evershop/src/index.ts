import type { Site } from "@countersign/plugin";
import { browserEntry } from "./entry.ts";

/** An EverShop 2 store that sells in US dollars and takes cash on delivery. */
export const evershop: Site = {
  id: "evershop",
  title: "EverShop",
  version: "evershop/0.1.0",
  entries: [browserEntry],
};

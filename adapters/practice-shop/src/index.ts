import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";
import { browserEntry } from "./browser/entry.ts";

/** The practice shop, by its API where that may be used and through its pages where not (MAP-5). */
export const practiceShop: Site = {
  id: "practice-shop",
  title: "Harbour & Hill practice shop",
  version: "practice-shop/0.1.0",
  entries: [apiEntry, browserEntry],
};

import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";
import { browserEntry } from "./browser/entry.ts";

/** The practice utility, by its API where that may be used and through its pages where not (MAP-5). */
export const practiceUtility: Site = {
  id: "practice-utility",
  title: "Northlight practice utility",
  version: "practice-utility/0.1.0",
  entries: [apiEntry, browserEntry],
};

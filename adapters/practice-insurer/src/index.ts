import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";
import { browserEntry } from "./browser/entry.ts";

/** The practice insurer, by its API where that may be used and through its pages where not (MAP-5). */
export const practiceInsurer: Site = {
  id: "practice-insurer",
  title: "Fairhaven practice insurer",
  version: "practice-insurer/0.1.0",
  entries: [apiEntry, browserEntry],
};

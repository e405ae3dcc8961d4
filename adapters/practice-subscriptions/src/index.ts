import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";
import { browserEntry } from "./browser/entry.ts";

/** The practice subscription service, by its API where that may be used and through its pages where not (MAP-5). */
export const practiceSubscriptions: Site = {
  id: "practice-subscriptions",
  title: "Lantern practice streaming",
  version: "practice-subscriptions/0.1.0",
  entries: [apiEntry, browserEntry],
};

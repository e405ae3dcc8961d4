import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";
import { browserEntry } from "./browser/entry.ts";

/** The practice bank, by its API where that may be used and through its pages where not (MAP-5). */
export const practiceBank: Site = {
  id: "practice-bank",
  title: "Quayside practice bank",
  version: "practice-bank/0.1.0",
  entries: [apiEntry, browserEntry],
};

import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";
import { browserEntry } from "./browser/entry.ts";

/** The practice clinic, by its API where that may be used and through its pages where not (MAP-5). */
export const practiceClinic: Site = {
  id: "practice-clinic",
  title: "Elm Street practice clinic",
  version: "practice-clinic/0.1.0",
  entries: [apiEntry, browserEntry],
};

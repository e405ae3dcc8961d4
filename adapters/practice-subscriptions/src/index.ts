import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";

/** The practice subscription service. */
export const practiceSubscriptions: Site = {
  id: "practice-subscriptions",
  title: "Lantern practice streaming",
  version: "practice-subscriptions/0.1.0",
  entries: [apiEntry],
};

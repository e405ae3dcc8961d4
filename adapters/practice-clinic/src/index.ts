import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";

/** The practice clinic, by its API. */
export const practiceClinic: Site = {
  id: "practice-clinic",
  title: "Elm Street practice clinic",
  version: "practice-clinic/0.1.0",
  entries: [apiEntry],
};

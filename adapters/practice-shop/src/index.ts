import type { Site } from "@countersign/plugin";
import { apiEntry } from "./api/entry.ts";

/** The practice shop, by its API and through its pages. */
export const practiceShop: Site = {
  id: "practice-shop",
  title: "Harbour & Hill practice shop",
  version: "practice-shop/0.1.0",
  entries: [apiEntry],
};

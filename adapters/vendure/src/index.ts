import type { Site } from "@countersign/plugin";
import { apiEntry } from "./entry.ts";

/** A shop that runs on Vendure, by its Shop API as it comes; nothing of the shop's own configuration is needed. */
export const vendure: Site = { id: "vendure", title: "Vendure shop", version: "vendure/0.1.0", entries: [apiEntry] };

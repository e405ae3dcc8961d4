import type { Selectable } from "kysely";
import type { Schema } from "../store/schema.ts";

export type ActionRow = Selectable<Schema["action"]>;
export type ApprovalRow = Selectable<Schema["approval"]>;

import { definePoint } from "@countersign/plugin";

/** A due date, YYYY-MM-DD, as a library's patron is used to reading it. */
export type DueText = (due: string) => string;

/** How due dates are written. Anybody who declares the point may contribute a lower order than the default's 100. */
export const dueTextPoint = definePoint({
  id: "lending.due_text",
  kind: "one",
  override: "declared",
  check: (v): v is DueText => typeof v === "function",
});

import type { Verification } from "@countersign/profile";
import type { M } from "../messages.ts";

/** One step of a verification that held: checked, or not applicable because the evidence has no such part. */
export interface StepLine {
  readonly step: keyof typeof M.receipts.steps;
  readonly standing: "done" | "none";
  readonly note?: keyof typeof M.receipts.stepNotes;
}

/** What each step of approval-evidence section 5 did for this evidence; it claims no check that had nothing to look at. */
export function stepsOf(verification: Verification): readonly StepLine[] {
  const { records, notes, display, rendering, receipt } = verification;
  const logged = !notes.includes("not_logged");
  const decided = records.approval !== undefined;
  const done = (step: StepLine["step"]): StepLine => ({ step, standing: "done" });
  const none = (step: StepLine["step"], note?: StepLine["note"]): StepLine =>
    note === undefined ? { step, standing: "none" } : { step, standing: "none", note };
  return [
    done(1),
    done(2),
    logged ? done(3) : none(3, "noLog"),
    records.action === undefined ? none(4, "noDecision") : done(4),
    decided ? done(5) : none(5, "noDecision"),
    shown(decided, display, rendering),
    records.approval?.auth.method === "passkey" ? done(7) : none(7, "noPasskey"),
    logged ? done(8) : none(8, "noLog"),
    receipt === "absent" ? none(9, "noReceipt") : done(9),
  ];
}

function shown(decided: boolean, display: Verification["display"], rendering: Verification["rendering"]): StepLine {
  if (!decided) return { step: 6, standing: "none", note: "noDecision" };
  if (display !== "checked") return { step: 6, standing: "none", note: "withheld" };
  return { step: 6, standing: "done", note: rendering === "same" ? "rendered" : "notRendered" };
}

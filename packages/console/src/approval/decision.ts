import type { ApprovalDecision, ApprovalView } from "@countersign/gateway/trusted-contract";
import { isJsonObject } from "@countersign/wire";
import { CONSOLE_VERSION } from "../version.ts";
import type { Faithful } from "./faithful.ts";

/**
 * The decision that the page posts. An approval exists only for a record that the page has recomputed and drawn, and
 * names the digests that it computed itself; a denial is always possible, for it does nothing at the destination.
 */
export function decisionOf(
  view: ApprovalView,
  faithful: Faithful | "mismatch",
  decision: "approved" | "denied",
  reason: string,
): ApprovalDecision | undefined {
  if (faithful === "mismatch" && decision === "approved") return undefined;
  const digests =
    faithful === "mismatch"
      ? { action: view.action_digest, display: claimedDisplay(view) }
      : { action: faithful.actionDigest, display: faithful.displayDigest };
  const why = reason.trim();
  return {
    decision,
    action_digest: digests.action,
    surface: { version: CONSOLE_VERSION, display_digest: digests.display },
    ...(decision === "approved" || why === "" ? {} : { reason: why }),
  };
}

function claimedDisplay(view: ApprovalView): string {
  const hidden = view.action["private"];
  const digest = hidden !== undefined && isJsonObject(hidden) ? hidden["display_text"] : undefined;
  return typeof digest === "string" ? digest : "";
}

import { M } from "../messages.ts";
import type { DraftProblem } from "./draft.ts";

/** What has to be put right before the button works. */
export function missingText(problem: DraftProblem): string {
  switch (problem) {
    case "periods":
    case "payees":
    case "items":
    case "hours":
      return M.grants.limitsWrong[problem];
    default:
      return M.consents.missing[problem];
  }
}

import type { ViewNotice } from "@countersign/plugin";
import { M } from "../messages.ts";

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** What the picture cannot say, in words. */
export function noticeText({ code, host, at }: ViewNotice): string {
  if (code === "last_try") return M.handoff.lastTry;
  if (code === "tries_spent") return spentText(at);
  return M.handoff.notices[code](host ?? "…");
}

/** When a password may be tried again. */
export function spentText(until: string | undefined): string {
  const at = new Date(until ?? "");
  return M.handoff.triesSpent(Number.isNaN(at.getTime()) ? "…" : TIME.format(at));
}

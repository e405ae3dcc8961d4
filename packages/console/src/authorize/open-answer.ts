import type { AuthorizationDestination, AuthorizationView } from "@countersign/gateway/trusted-contract";
import { DAY_MS } from "@countersign/wire";
import { type GrantDraft, localField, openDraft } from "../consents/draft.ts";

/** Where the client names no time and the person picks none. */
const DAYS = 30;

/**
 * The fields as they open. What a client names stands there as it was named. Where it names nothing, only what reads is
 * ticked, and for a month: whoever presses the button without reading has given little.
 */
export function openAnswer(
  view: Pick<AuthorizationView, "by_name">,
  destination: AuthorizationDestination,
  nowMs = Date.now(),
): GrantDraft {
  const draft = openDraft(destination.asked, destination.account_ref);
  if (view.by_name) return draft;
  const monthMs = Math.min(nowMs + DAYS * DAY_MS, Date.parse(destination.asked.expires_at));
  const reads = destination.available_operations.filter((o) => o.effect === "read").map((o) => o.id);
  return {
    ...draft,
    operations: draft.operations.filter((id) => reads.includes(id)),
    until: localField(new Date(monthMs).toISOString()),
  };
}

import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Go } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";

/** The decision is made, or can no longer be made: said plainly, with the task's outcome as it comes. */
export function Settled({ view }: { readonly view: ApprovalView }) {
  const { status, task_reason: reason } = view;
  if (status === "pending") return null;
  return (
    <div role="status" className={`outcome ${status}`}>
      <p className="settled">{M.approval[status]}</p>
      {view.decided_at === undefined ? null : (
        <p className="quiet">
          {M.approval.decided} <When at={view.decided_at} />
        </p>
      )}
      {view.note === undefined ? null : (
        <p className="quiet">
          {M.approval.note} <Text text={view.note} />
        </p>
      )}
      <p>
        <StateBadge state={view.task_state} /> {M.next[view.task_state]}
      </p>
      {reason !== undefined && isReason(reason) ? <p>{REASONS[reason].title}</p> : null}
      <div className="actions">
        <Go to={`/tasks/${view.task_id}`} className="button plain">
          {M.approval.follow}
        </Go>
        <Go to="/" className="button plain">
          {M.approval.inbox}
        </Go>
      </div>
    </div>
  );
}

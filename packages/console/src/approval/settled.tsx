import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Go } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";

/** The decision is made, or can no longer be made: said plainly, with the task's outcome as it comes. */
export function Settled(props: {
  readonly view: ApprovalView;
  /** What was pressed here although it was settled already. */
  readonly tooLate: "approved" | "denied" | undefined;
}) {
  const { view, tooLate } = props;
  const { status, task_reason: reason } = view;
  if (status === "pending") return null;
  const byAuthority = view.decided_by === "authority";
  return (
    <div role="status" className={`outcome ${status} ${view.task_state}`}>
      {tooLate === undefined ? null : <p>{M.approval.tooLate[tooLate]}</p>}
      <p className="settled">
        {byAuthority && status === "denied" ? M.approval.authorityDenied : null}
        {byAuthority && status === "approved" ? (
          <>
            {M.approval.by_authority} <Text text={view.authority ?? ""} />
          </>
        ) : null}
        {byAuthority ? null : M.approval[status]}
      </p>
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

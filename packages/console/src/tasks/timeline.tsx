import type { TaskEventView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";

/** What happened, oldest first, in whole sentences; each change of state has its sign, and steps between them none. */
export function Timeline({ events }: { readonly events: readonly TaskEventView[] }) {
  if (events.length === 0) return <p>{M.tasks.noEvents}</p>;
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={event.seq} className={event.label === undefined ? "change" : "step"}>
          <When at={event.at} />
          <Happened event={event} />
        </li>
      ))}
    </ol>
  );
}

function Happened({ event }: { readonly event: TaskEventView }) {
  const { reason, label } = event;
  if (label !== undefined)
    return (
      <span>
        <Text text={label} />
      </span>
    );
  return (
    <span className="lines">
      <StateBadge state={event.state} />
      <span>{M.happened[event.state]}</span>
      {reason !== undefined && isReason(reason) ? <span className="quiet">{REASONS[reason].title}</span> : null}
    </span>
  );
}

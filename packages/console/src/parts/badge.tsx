import type { TaskState } from "@countersign/profile";
import { M } from "../messages.ts";
import { Icon } from "./icons.tsx";
import { Text } from "./value.tsx";

export type Tone = "wait" | "good" | "bad" | "warn" | "done";

const TONES: Readonly<Record<TaskState, Tone>> = {
  received: "done",
  validating: "done",
  authentication_required: "wait",
  approval_required: "wait",
  executing: "done",
  succeeded: "good",
  outcome_unknown: "warn",
  denied: "bad",
  expired: "bad",
  failed: "bad",
  cancelled: "bad",
};

/** Where something stands, in a word with a sign; colour only underlines it. */
export function Badge(props: { readonly tone: Tone; readonly text: string }) {
  return (
    <span className={`badge ${props.tone}`}>
      <Icon name={props.tone} />
      <Text text={props.text} />
    </span>
  );
}

export function StateBadge(props: { readonly state: TaskState }) {
  return <Badge tone={TONES[props.state]} text={M.states[props.state]} />;
}

/** The same for an outcome that came as text, of this version or a later one. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  const state = Object.hasOwn(TONES, outcome) ? (outcome as TaskState) : undefined;
  return state === undefined ? <Badge tone="done" text={outcome} /> : <StateBadge state={state} />;
}

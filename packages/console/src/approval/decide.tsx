import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { remaining } from "../parts/remaining.ts";
import { Countdown, useLeft } from "../parts/when.tsx";
import { passkeyStanding, signDecision } from "../passkeys/approve.ts";
import { PasskeyNeeded } from "../passkeys/passkey-needed.tsx";
import { type CallProblem, problemText } from "../server/api.ts";
import { decisionOf } from "./decision.ts";
import type { Faithful } from "./faithful.ts";
import { readBack, sendDecision } from "./send-decision.ts";

/**
 * For the first moment the buttons take nothing: the second click of a double click on a link, or a key that is still
 * held, belongs to the page before.
 */
const ARM_MS = 600;

type Decision = "approved" | "denied";
/** `asking`: the answer was lost, and what became of the decision is being read. */
type Phase = { readonly kind: "ready" } | { readonly kind: "sending" | "asking"; readonly decision: Decision };
const READY: Phase = { kind: "ready" };

interface DecideProps {
  readonly view: ApprovalView;
  readonly faithful: Faithful | "mismatch";
  readonly reload: () => Promise<void>;
  /** A button was pressed here after somebody had decided elsewhere. */
  readonly onTooLate: (decision: Decision) => void;
}

/**
 * Approve or deny, after the terms, with one press. The same record is decided once, however often and in however many
 * windows a button is pressed; a press whose answer is lost is read back and never guessed. At the end of the time
 * nothing is offered, whatever the server has written down yet.
 */
export function Decide(props: DecideProps) {
  const { view, faithful } = props;
  const expires = faithful === "mismatch" ? view.action["expires_at"] : faithful.record["expires_at"];
  const left = useLeft(String(expires));
  if (remaining(left) === undefined) return <p role="status">{M.approval.timeUp}</p>;
  return <Buttons {...props} />;
}

/** Where the amount stands, so that both are seen at once. */
export function TimeLeft({ to }: { readonly to: string }) {
  return (
    <p className="left">
      <span className="kind">{M.approval.expires}</span>
      <Countdown to={to} />
    </p>
  );
}

function Buttons({ view, faithful, reload, onTooLate }: DecideProps) {
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const [phase, setPhase] = useState<Phase>(READY);
  const armed = useArmed();
  const here = useHere();
  const busy = useRef(false);

  const press = async (decision: Decision) => {
    if (busy.current) return;
    const body = decisionOf(view, faithful, decision, reason);
    if (body === undefined) return;
    busy.current = true;
    setPhase({ kind: "sending", decision });
    setProblem(undefined);
    try {
      const signed = await signDecision(view, body);
      if (!signed.ok) return setProblem(M.passkeys.trouble[signed.reason]);
      const answer = await sendDecision(view, signed.value);
      if (answer.ok) return await reload();
      if (answer.reason !== "unreachable") return await refused(decision, answer.reason);
      setPhase({ kind: "asking", decision });
      const found = await readBack(view.action_id, () => here.current);
      if (found === undefined) return;
      if (!found.ok) setProblem(problemText(found.reason));
      else if (found.value.status === "pending") setProblem(M.approval.notStored);
      else if (found.value.status !== decision) onTooLate(decision);
      await reload();
    } finally {
      busy.current = false;
      setPhase(READY);
    }
  };
  const refused = async (decision: Decision, why: CallProblem) => {
    if (SETTLED_ALREADY.has(why)) onTooLate(decision);
    setProblem(why === "conflict" ? M.approval.conflict : problemText(why));
    await reload();
  };

  const offered = faithful !== "mismatch" && view.policy !== "authority" && passkeyStanding(view) === "ready";
  const still = !armed || phase.kind !== "ready";
  const shownBusy = (decision: Decision) => phase.kind !== "ready" && phase.decision === decision;
  return (
    <div className="decide">
      <p>{M.approval.policy[view.policy]}</p>
      <PasskeyNeeded view={view} />
      {offered ? <p className="quiet">{M.approval.means}</p> : null}
      {problem === undefined ? null : <Problem text={problem} />}
      {phase.kind === "asking" ? <p role="status">{M.approval.asking}</p> : null}
      <div className="actions">
        {offered ? (
          <Button
            className={`button primary${shownBusy("approved") ? " pending" : ""}`}
            isDisabled={still && !shownBusy("approved")}
            onPress={() => void press("approved")}
          >
            {view.meaning.affirm}
          </Button>
        ) : null}
        <Button
          className={`button plain${shownBusy("denied") ? " pending" : ""}`}
          isDisabled={still && !shownBusy("denied")}
          onPress={() => void press("denied")}
        >
          {M.approval.deny}
        </Button>
      </div>
      <div className="field">
        <label htmlFor="deny-reason">{M.approval.denyReason}</label>
        <input
          id="deny-reason"
          maxLength={500}
          value={reason}
          aria-describedby="deny-reason-hint"
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        <span className="hint" id="deny-reason-hint">
          {M.approval.denyReasonHint}
        </span>
      </div>
    </div>
  );
}

/** What the gateway says to a decision on a record that has ended another way meanwhile. */
const SETTLED_ALREADY: ReadonlySet<CallProblem> = new Set([
  "decided_otherwise",
  "decision_expired",
  "record_superseded",
  "record_withdrawn_by_agent",
  "record_withdrawn_by_holder",
  "record_stopped",
]);

function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARM_MS);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}

/** Whether this part of the page is still there. */
function useHere(): { readonly current: boolean } {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}

import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { type Err, err, ok } from "@countersign/wire";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/page.tsx";
import { passkeyStanding, signDecision } from "../passkeys/approve.ts";
import { PasskeyNeeded } from "../passkeys/passkey-needed.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { decisionOf } from "./decision.ts";
import type { Faithful } from "./faithful.ts";

const NOT_OFFERED: Err<CallProblem> = err("conflict");

/** Approve or deny, after the terms. The same record is decided once, however often a button is pressed. */
export function Decide(props: {
  readonly view: ApprovalView;
  readonly faithful: Faithful | "mismatch";
  readonly reload: () => Promise<void>;
}) {
  const { view, faithful, reload } = props;
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const decide = (decision: "approved" | "denied") => async () => {
    const body = decisionOf(view, faithful, decision, reason);
    if (body === undefined) return NOT_OFFERED;
    const signed = await signDecision(view, body);
    if (signed.ok) return send(`/approvals/${view.action_id}/decision`, signed.value);
    setProblem(M.passkeys.trouble[signed.reason]);
    return ok(undefined);
  };
  const outcome = {
    onDone: reload,
    onProblem: (why: CallProblem) => {
      setProblem(why === "conflict" ? M.approval.conflict : problemText(why));
      return reload();
    },
  };
  return (
    <div className="decide">
      {problem === undefined ? null : <Problem text={problem} />}
      <PasskeyNeeded view={view} />
      <div className="actions">
        {faithful === "mismatch" || passkeyStanding(view) !== "ready" ? null : (
          <Act label={view.meaning.affirm} kind="primary" act={decide("approved")} {...outcome} />
        )}
        <Act label={M.approval.deny} act={decide("denied")} {...outcome} />
      </div>
      <div className="field">
        <label htmlFor="deny-reason">{M.approval.denyReason}</label>
        <input id="deny-reason" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    </div>
  );
}

import { err, type Result } from "@countersign/wire";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { makePasskey } from "./ask.ts";

const LABEL_CHARS_MAX = 80;

/** Makes a passkey under a name that helps the person to tell their devices apart. */
export function NewPasskey(props: { readonly suggested: string; readonly onDone: () => Promise<void> | void }) {
  const [label, setLabel] = useState(props.suggested);
  const [problem, setProblem] = useState<string>();
  const make = async (): Promise<Result<unknown, CallProblem>> => {
    setProblem(undefined);
    const begun = await send<{ readonly options: object }>("/passkeys/begin");
    if (!begun.ok) return begun;
    const answer = await makePasskey(begun.value.options);
    if (answer.ok) return send("/passkeys/finish", { label: label.trim() || props.suggested, answer: answer.value });
    setProblem(M.passkeys.trouble[answer.reason]);
    return err("passkey_refused");
  };
  return (
    <>
      <div className="field">
        <label htmlFor="passkey-label">{M.passkeys.label}</label>
        <input
          id="passkey-label"
          maxLength={LABEL_CHARS_MAX}
          value={label}
          autoComplete="off"
          aria-describedby="passkey-label-hint"
          onChange={(event) => setLabel(event.target.value)}
        />
        <span className="hint" id="passkey-label-hint">
          {M.passkeys.labelHint}
        </span>
      </div>
      {problem === undefined ? null : <Problem text={problem} />}
      <Act
        label={M.passkeys.make}
        kind="primary"
        act={make}
        onDone={props.onDone}
        onProblem={(reason) => setProblem((said) => said ?? problemText(reason))}
      />
    </>
  );
}

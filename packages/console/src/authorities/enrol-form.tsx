import type { AuthorityView } from "@countersign/gateway/trusted-contract";
import { useId, useState } from "react";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import { Text } from "../parts/value.tsx";
import { problemText, send } from "../server/api.ts";
import { parametersOf } from "./parameters.ts";

/** Enrolling an authority: for which operations, with which public parameters, and that it waits a day. */
export function EnrolForm(props: { readonly authority: AuthorityView; readonly onEnrolled: () => Promise<void> }) {
  const { authority, onEnrolled } = props;
  const id = useId();
  const again = authority.enrolment !== undefined || authority.settling !== undefined;
  const [operations, setOperations] = useState<readonly string[]>([]);
  const [label, setLabel] = useState("");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const parameters = parametersOf(text);
  return (
    <details>
      <summary>{again ? M.authorities.enrolAgain : M.authorities.enrol}</summary>
      <p className="notice">
        {M.authorities.wait} {authority.enrolment === undefined ? null : M.authorities.waitEarlier}
      </p>
      <CheckboxGroup className="group" value={[...operations]} onChange={setOperations}>
        <Label>{M.authorities.enrolTitle}</Label>
        {authority.available_operations.map((operation) => (
          <Checkbox key={operation.id} value={operation.id} className="choice">
            <Text text={operation.title} />
          </Checkbox>
        ))}
      </CheckboxGroup>
      <div className="field">
        <label htmlFor={`${id}-label`}>{M.authorities.enrolLabel}</label>
        <input id={`${id}-label`} maxLength={80} value={label} onChange={(event) => setLabel(event.target.value)} />
      </div>
      <div className="field">
        <label htmlFor={`${id}-parameters`}>{M.authorities.parameters}</label>
        <textarea
          id={`${id}-parameters`}
          className="code"
          rows={4}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={parameters === undefined}
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span id={`${id}-hint`} className={parameters === undefined ? "hint wrong" : "hint"}>
          {parameters === undefined ? M.authorities.parametersWrong : M.authorities.parametersHint}
        </span>
      </div>
      {problem === undefined ? null : <Problem text={problem} />}
      <Act
        label={M.authorities.save}
        kind="primary"
        isDisabled={operations.length === 0 || label.trim() === "" || parameters === undefined}
        act={() =>
          send(`/authorities/${authority.authority}/enrol`, {
            operations,
            parameters: parameters ?? {},
            label: label.trim(),
          })
        }
        onDone={() => {
          setOperations([]);
          setLabel("");
          setText("");
          setProblem(undefined);
          return onEnrolled();
        }}
        onProblem={(reason) =>
          setProblem(reason === "invalid_request" ? M.authorities.parametersRefused : problemText(reason))
        }
      />
    </details>
  );
}

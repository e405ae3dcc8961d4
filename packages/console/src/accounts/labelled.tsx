import { useId } from "react";
import { Problem } from "../parts/problem.tsx";

/** A field with what it is for, and what is wrong with it in words. */
export function Labelled(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly maxLength: number;
  readonly autoComplete?: string;
  readonly inputMode?: "email" | "tel";
  readonly need?: "optional" | "needed";
  readonly note?: string;
  readonly help?: string;
  readonly problem?: string | undefined;
}) {
  const id = useId();
  const { help, problem } = props;
  const described = [help === undefined ? "" : `${id}-help`, problem === undefined ? "" : `${id}-problem`].join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>
        {props.label}
        {props.note === undefined ? null : <span className="quiet"> ({props.note})</span>}
      </label>
      <input
        id={id}
        value={props.value}
        maxLength={props.maxLength}
        autoComplete={props.autoComplete ?? "off"}
        inputMode={props.inputMode}
        required={props.need === "needed"}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={described.trim() === "" ? undefined : described.trim()}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {help === undefined ? null : (
        <span className="quiet" id={`${id}-help`}>
          {help}
        </span>
      )}
      {problem === undefined ? null : (
        <div id={`${id}-problem`}>
          <Problem text={problem} />
        </div>
      )}
    </div>
  );
}

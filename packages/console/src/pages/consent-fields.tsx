import type { ConsentLimits } from "@countersign/gateway/trusted-contract";
import { useId, useState } from "react";
import { M } from "../messages.ts";
import { editableAmount, localField, narrowAmount, narrowUntil } from "./consent-draft.ts";

/** Narrows the amount; an amount above what was asked, or none at all, is not taken. */
export function LimitField(props: {
  readonly asked: ConsentLimits;
  readonly chosen: ConsentLimits;
  readonly onChange: (limits: ConsentLimits) => void;
}) {
  const { max_total_minor: asked, currency } = props.asked;
  const id = useId();
  const [text, setText] = useState(
    asked === undefined || currency === undefined ? "" : editableAmount(asked, currency),
  );
  if (asked === undefined || currency === undefined) return null;
  const minor = narrowAmount(text, currency, asked);
  return (
    <div className="field">
      <label htmlFor={id}>
        {M.consents.limit} ({currency})
      </label>
      <input
        id={id}
        inputMode="decimal"
        value={text}
        aria-invalid={minor === undefined}
        onChange={(event) => {
          setText(event.target.value);
          const next = narrowAmount(event.target.value, currency, asked);
          if (next !== undefined) props.onChange({ max_total_minor: next, currency });
        }}
      />
    </div>
  );
}

export function UntilField(props: {
  readonly asked: string;
  readonly chosen: string;
  readonly onChange: (until: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{M.consents.until}</label>
      <input
        id={id}
        type="datetime-local"
        max={localField(props.asked)}
        defaultValue={localField(props.asked)}
        onChange={(event) => {
          const next = narrowUntil(event.target.value, props.asked);
          if (next !== undefined) props.onChange(next);
        }}
      />
    </div>
  );
}

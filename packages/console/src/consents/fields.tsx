import type { ConsentScope } from "@countersign/gateway/trusted-contract";
import { useId } from "react";
import { M } from "../messages.ts";
import { moneyText } from "../parts/money-text.ts";
import { type DraftProblem, type GrantDraft, localField } from "./draft.ts";
import { currencyOf } from "./limits-draft.ts";

export interface FieldProps {
  readonly asked: ConsentScope;
  readonly draft: GrantDraft;
  readonly problems: readonly DraftProblem[];
  readonly onChange: (change: Partial<GrantDraft>) => void;
}

/** The most that one action may cost. Where the agent asked for no limit, the person may set one. */
export function LimitField({ asked, draft, problems, onChange }: FieldProps) {
  const id = useId();
  const { max_total_minor: minor } = asked.limits;
  const currency = currencyOf(asked.limits);
  const bounded = minor !== undefined && currency !== undefined;
  const change = (more: Partial<GrantDraft["limits"]>) => onChange({ limits: { ...draft.limits, ...more } });
  const wrong = problems.includes("amount");
  return (
    <div className="field">
      <label htmlFor={id}>
        {M.consents.limit}
        {currency === undefined ? "" : ` (${currency})`}
      </label>
      <div className="row">
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={draft.limits.amount}
          aria-invalid={wrong}
          aria-describedby={`${id}-hint`}
          onChange={(event) => change({ amount: event.target.value })}
        />
        {currency !== undefined ? null : (
          <input
            className="currency"
            aria-label={M.consents.currency}
            placeholder={M.consents.currencyExample}
            maxLength={3}
            autoComplete="off"
            autoCapitalize="characters"
            value={draft.limits.currency}
            onChange={(event) => change({ currency: event.target.value })}
          />
        )}
      </div>
      <span id={`${id}-hint`} className={wrong ? "hint wrong" : "hint"}>
        {bounded
          ? M.consents.limitHint(moneyText({ minor, currency }))
          : wrong
            ? M.consents.limitWrong
            : M.consents.limitOwn}
      </span>
    </div>
  );
}

export function UntilField({ asked, draft, problems, onChange }: FieldProps) {
  const id = useId();
  const wrong = problems.includes("until");
  return (
    <div className="field">
      <label htmlFor={id}>{M.consents.until}</label>
      <input
        id={id}
        type="datetime-local"
        max={localField(asked.expires_at)}
        value={draft.until ?? localField(asked.expires_at)}
        aria-invalid={wrong}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange({ until: event.target.value })}
      />
      <span id={`${id}-hint`} className={wrong ? "hint wrong" : "hint"}>
        {M.consents.untilHint}
      </span>
    </div>
  );
}

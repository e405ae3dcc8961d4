import { useId } from "react";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import { M } from "../messages.ts";
import type { FieldProps } from "./fields.tsx";
import { DAYS, type HoursDraft, type LimitDraft, PERIODS } from "./limits-draft.ts";

const WORKING_DAYS = ["mon", "tue", "wed", "thu", "fri"] as const;
const OFFICE = { from: "08:00", to: "20:00" } as const;

/** Limits beyond the one of a single action; folded away where none was asked for. */
export function MoreLimits(props: FieldProps) {
  const { asked, draft, onChange } = props;
  const { max_total_minor: _amount, currency: _currency, ...others } = asked.limits;
  const change = (more: Partial<LimitDraft>) => onChange({ limits: { ...draft.limits, ...more } });
  return (
    <details open={Object.keys(others).length > 0}>
      <summary>{M.grants.more}</summary>
      <p className="quiet">{M.grants.moreExplain}</p>
      <PeriodFields {...props} change={change} />
      <NamesField {...props} change={change} which="payees" label={M.grants.payees} hint={M.grants.payeesHint} />
      <NamesField {...props} change={change} which="items" label={M.grants.items} hint={M.grants.itemsHint} />
      <HoursFields {...props} change={change} />
    </details>
  );
}

type PartProps = FieldProps & { readonly change: (more: Partial<LimitDraft>) => void };

function PeriodFields({ draft, problems, change }: PartProps) {
  const wrong = problems.includes("periods");
  const { periods } = draft.limits;
  const set = (name: keyof typeof periods, more: Partial<(typeof periods)["day"]>) =>
    change({ periods: { ...periods, [name]: { ...periods[name], ...more } } });
  return (
    <>
      {PERIODS.map((name) => (
        <fieldset className="field" key={name}>
          <legend>{M.grants.periods[name]}</legend>
          <div className="row">
            <input
              inputMode="decimal"
              autoComplete="off"
              aria-label={`${M.grants.periods[name]}, ${M.grants.sum}`}
              placeholder={M.grants.sum}
              aria-invalid={wrong}
              value={periods[name].amount}
              onChange={(event) => set(name, { amount: event.target.value })}
            />
            <input
              inputMode="numeric"
              autoComplete="off"
              aria-label={`${M.grants.periods[name]}, ${M.grants.count}`}
              placeholder={M.grants.count}
              aria-invalid={wrong}
              value={periods[name].count}
              onChange={(event) => set(name, { count: event.target.value })}
            />
          </div>
        </fieldset>
      ))}
      {wrong ? <span className="hint wrong">{M.grants.periodsWrong}</span> : null}
    </>
  );
}

function NamesField(
  props: PartProps & { readonly which: "payees" | "items"; readonly label: string; readonly hint: string },
) {
  const id = useId();
  const { which, draft, problems } = props;
  const wrong = problems.includes(which);
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <textarea
        id={id}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={wrong}
        aria-describedby={`${id}-hint`}
        value={draft.limits[which]}
        onChange={(event) => props.change({ [which]: event.target.value })}
      />
      <span id={`${id}-hint`} className={wrong ? "hint wrong" : "hint"}>
        {wrong ? M.grants.namesWrong : props.hint}
      </span>
    </div>
  );
}

function HoursFields({ asked, draft, problems, change }: PartProps) {
  const id = useId();
  const { hours } = draft.limits;
  const wrong = problems.includes("hours");
  const set = (more: Partial<HoursDraft>) => hours !== undefined && change({ hours: { ...hours, ...more } });
  return (
    <>
      <Checkbox
        className="choice"
        isSelected={hours !== undefined}
        isDisabled={asked.limits.hours !== undefined}
        onChange={(on) => change({ hours: on ? { zone: ownZone(), ...OFFICE, days: WORKING_DAYS } : undefined })}
      >
        <span>{M.grants.hoursOnly}</span>
      </Checkbox>
      {hours === undefined ? null : (
        <>
          <div className="row">
            {(["from", "to"] as const).map((end) => (
              <div className="field" key={end}>
                <label htmlFor={`${id}-${end}`}>{M.grants[end]}</label>
                <input
                  id={`${id}-${end}`}
                  type="time"
                  aria-invalid={wrong}
                  value={hours[end]}
                  onChange={(event) => set({ [end]: event.target.value })}
                />
              </div>
            ))}
          </div>
          <div className="field">
            <label htmlFor={`${id}-zone`}>{M.grants.zone}</label>
            <input
              id={`${id}-zone`}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={wrong}
              disabled={asked.limits.hours !== undefined}
              value={hours.zone}
              onChange={(event) => set({ zone: event.target.value })}
            />
          </div>
          <CheckboxGroup
            className="group"
            value={[...hours.days]}
            onChange={(days) => set({ days: DAYS.filter((day) => days.includes(day)) })}
            isInvalid={wrong}
          >
            <Label>{M.grants.days}</Label>
            {(asked.limits.hours?.days ?? DAYS).map((day) => (
              <Checkbox key={day} value={day} className="choice">
                <span>{M.grants.dayNames[day]}</span>
              </Checkbox>
            ))}
          </CheckboxGroup>
          {wrong ? <span className="hint wrong">{M.grants.hoursWrong}</span> : null}
        </>
      )}
    </>
  );
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

import type { FormAnswerView, SignInTriesView } from "@countersign/gateway/trusted-contract";
import type { FormField } from "@countersign/plugin";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { problemText, send } from "../server/api.ts";
import { Tries } from "./tries.tsx";

const INPUTS: Readonly<Record<FormField["kind"], { readonly type: string; readonly autoComplete: string }>> = {
  email: { type: "email", autoComplete: "username" },
  password: { type: "password", autoComplete: "current-password" },
  code: { type: "text", autoComplete: "one-time-code" },
  text: { type: "text", autoComplete: "off" },
};

/** Why nothing was connected: who is signed in there, and whose account this is. */
export function otherAccount(answer: { readonly account_name?: string; readonly expected_name?: string }): string {
  return M.handoff.otherAccount(answer.account_name ?? "", answer.expected_name ?? "");
}

/** What a site asks that is reached by its API: its fields, sent on to it and kept nowhere. */
export function SiteForm(props: {
  readonly id: string;
  readonly first: readonly FormField[];
  /** What the page says before the fields. */
  readonly explain: string;
  readonly onDone: (answer: FormAnswerView) => void;
  /** The form is at its end without success and has to be begun again. */
  readonly onOver: (message: string) => void;
}) {
  const [fields, setFields] = useState(props.first);
  const [refused, setRefused] = useState<string>();
  const [more, setMore] = useState<string>();
  const [elsewhere, setElsewhere] = useState(false);
  const [tries, setTries] = useState<SignInTriesView>();
  const busy = useRef(false);
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new set of fields takes the focus once
  useEffect(() => form.current?.querySelector("input")?.focus(), [fields]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    const filled = event.currentTarget;
    const values = Object.fromEntries([...new FormData(filled)].map(([name, value]) => [name, String(value)]));
    const answer = await send<FormAnswerView>(`/continuations/${props.id}/form`, { values });
    busy.current = false;
    setPending(false);
    filled.reset();
    setRefused(undefined);
    setMore(undefined);
    if (!answer.ok) return setRefused(problemText(answer.reason));
    setElsewhere(answer.value.tried_elsewhere_at !== undefined);
    setTries(answer.value.tries);
    if (answer.value.kind === "refused" && answer.value.tries?.left === 0 && answer.value.message === undefined) return;
    if (answer.value.kind === "done") return props.onDone(answer.value);
    if (answer.value.kind === "other_account") return props.onOver(otherAccount(answer.value));
    if (answer.value.kind === "refused") return setRefused(answer.value.message ?? M.handoff.notYet);
    setMore(answer.value.message);
    if (answer.value.fields !== undefined) setFields(answer.value.fields);
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <p>{props.explain}</p>
      {elsewhere ? <Problem text={M.handoff.elsewhere} /> : null}
      {tries === undefined ? null : <Tries tries={tries} />}
      {refused === undefined ? null : <Problem text={refused} />}
      {more === undefined ? null : (
        <p role="status">
          <Text text={more} />
        </p>
      )}
      {fields.map((field) => (
        <div className="field" key={field.name}>
          <label htmlFor={`site-${field.name}`}>
            <Text text={field.label} />
          </label>
          <input
            id={`site-${field.name}`}
            name={field.name}
            type={INPUTS[field.kind].type}
            autoComplete={INPUTS[field.kind].autoComplete}
            inputMode={field.kind === "code" ? "numeric" : undefined}
            maxLength={1_000}
            required
          />
        </div>
      ))}
      <button type="submit" className="button primary" disabled={pending}>
        {props.first.length === 0 ? M.handoff.agreeAction : M.handoff.next}
      </button>
    </form>
  );
}

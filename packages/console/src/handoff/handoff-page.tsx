import type { CompletionView, ContinuationView, FormAnswerView } from "@countersign/gateway/trusted-contract";
import type { FormField } from "@countersign/plugin";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { type CallProblem, problemText, send } from "../api.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { go } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { LiveView } from "./live-view.tsx";

/** The hand-off: the person signs in at the site itself, where no agent can look (MFA-1, MFA-2). */
export function HandoffPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ContinuationView>(`/continuations/${id}`);
  const [begun, setBegun] = useState<ContinuationView>();
  const [done, setDone] = useState<string>();
  const [problem, setProblem] = useState<CallProblem>();
  const asked = useRef(false);
  const state = loaded.value?.state;
  const begin = async () => {
    const answer = await send<ContinuationView>(`/continuations/${id}/begin`);
    if (answer.ok) setBegun(answer.value);
    else setProblem(answer.reason);
    return answer;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once, when the page knows that it may
  useEffect(() => {
    if (asked.current || (state !== "waiting" && state !== "begun")) return;
    asked.current = true;
    void begin();
  }, [state]);
  const finished = (name: string | undefined) => {
    setDone(name ?? "");
    const next = sessionStorage.getItem(`after:${id}`);
    sessionStorage.removeItem(`after:${id}`);
    if (next !== null) go(next);
  };
  return (
    <Page title={M.handoff.title(loaded.value?.destination_title ?? "…")}>
      <Show loaded={loaded}>
        {(view) => (
          <section className="card">
            {view.task === undefined ? null : (
              <p>
                <Text text={M.handoff.forTask(view.task.operation_title, view.task.agent)} />
              </p>
            )}
            <p>
              <code>{view.origin}</code>
            </p>
            {problem === undefined ? null : (
              <>
                <Problem text={problemText(problem)} />
                <Act label={M.handoff.again} act={begin} onDone={() => setProblem(undefined)} />
              </>
            )}
            {done !== undefined || view.state === "completed" ? (
              <p role="status">{done ? M.handoff.connectedAs(done) : M.handoff.completed}</p>
            ) : view.state === "expired" ? (
              <p role="status">{M.handoff.expired}</p>
            ) : begun?.mode === "live" ? (
              <Live id={id} onDone={finished} />
            ) : begun?.mode === "form" ? (
              <Form id={id} first={begun.fields ?? []} onDone={finished} />
            ) : problem === undefined ? (
              <p role="status">{M.loading}</p>
            ) : null}
          </section>
        )}
      </Show>
    </Page>
  );
}

function Live({ id, onDone }: { readonly id: string; readonly onDone: (name: string | undefined) => void }) {
  const [message, setMessage] = useState<string>();
  const complete = async () => {
    const answer = await send<CompletionView>(`/continuations/${id}/complete`);
    if (!answer.ok) setMessage(problemText(answer.reason));
    else if (answer.value.outcome === "connected") onDone(answer.value.account_name);
    else setMessage(answer.value.outcome === "not_signed_in" ? M.handoff.notYet : M.handoff.unavailable);
    return answer;
  };
  return (
    <>
      <p>{M.handoff.explain}</p>
      <LiveView continuationRef={id} />
      {message === undefined ? null : <Problem text={message} />}
      <Act label={M.handoff.done} kind="primary" act={complete} />
    </>
  );
}

const INPUT_TYPES: Readonly<Record<FormField["kind"], string>> = {
  email: "email",
  password: "password",
  code: "text",
  text: "text",
};
const AUTOCOMPLETE: Readonly<Record<FormField["kind"], string>> = {
  email: "username",
  password: "current-password",
  code: "one-time-code",
  text: "off",
};

function Form(props: {
  readonly id: string;
  readonly first: readonly FormField[];
  readonly onDone: (name: string | undefined) => void;
}) {
  const [fields, setFields] = useState(props.first);
  const [message, setMessage] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const values = Object.fromEntries([...new FormData(form).entries()].map(([name, value]) => [name, String(value)]));
    setBusy(true);
    const answer = await send<FormAnswerView>(`/continuations/${props.id}/form`, { values });
    setBusy(false);
    form.reset();
    if (!answer.ok) return setMessage(problemText(answer.reason));
    setMessage(answer.value.message);
    if (answer.value.kind === "done") return props.onDone(answer.value.account_name);
    if (answer.value.fields !== undefined) setFields(answer.value.fields);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p>{M.handoff.form}</p>
      {message === undefined ? null : <Problem text={message} />}
      {fields.map((field) => (
        <div className="field" key={field.name}>
          <label htmlFor={`site-${field.name}`}>{field.label}</label>
          <input
            id={`site-${field.name}`}
            name={field.name}
            type={INPUT_TYPES[field.kind]}
            autoComplete={AUTOCOMPLETE[field.kind]}
            inputMode={field.kind === "code" ? "numeric" : undefined}
            required
          />
        </div>
      ))}
      <button type="submit" className="button primary" disabled={busy}>
        {M.handoff.next}
      </button>
    </form>
  );
}

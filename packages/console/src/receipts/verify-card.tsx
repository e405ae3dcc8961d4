import { levelInWords, noteInWords, refusalInWords, statementOf, type VerificationReport } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { useId, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { Fact } from "../parts/facts.tsx";
import { Problem } from "../parts/problem.tsx";
import { When } from "../parts/when.tsx";
import { stepsOf } from "./steps.ts";
import { type Checked, checkEvidence } from "./verify.ts";

const PIN = /^[A-Za-z0-9_-]{43}$/;

/** The check of a task's evidence, done by this browser itself. */
export function VerifyCard(props: {
  readonly taskId: string;
  /** As the page shows it in words. */
  readonly receipt: JsonObject;
  readonly pin: string;
  readonly issuer: string;
}) {
  const id = useId();
  const [pin, setPin] = useState(props.pin);
  const [checked, setChecked] = useState<Checked | "no_file" | "checking">();
  const wrong = !PIN.test(pin.trim());
  const check = async () => {
    setChecked("checking");
    setChecked(await checkEvidence(props, { pin: pin.trim(), issuer: props.issuer }));
  };
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{M.receipts.pin}</label>
        <input
          id={id}
          className="code"
          spellCheck={false}
          autoComplete="off"
          value={pin}
          aria-invalid={wrong}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            setPin(event.target.value);
            setChecked(undefined);
          }}
        />
        <span id={`${id}-hint`} className={wrong ? "hint wrong" : "hint"}>
          {wrong ? M.receipts.pinWrong : M.receipts.pinHint}
        </span>
      </div>
      <Button
        className={checked === "checking" ? "button primary pending" : "button primary"}
        isDisabled={wrong}
        onPress={() => void (checked === "checking" ? undefined : check())}
      >
        {typeof checked === "object" ? M.receipts.verifyAgain : M.receipts.verify}
      </Button>
      <div aria-live="polite" className="verdict">
        {checked === "checking" ? <p>{M.receipts.checking}</p> : null}
        {checked === "no_file" ? <Problem text={M.receipts.fileMissing} /> : null}
        {typeof checked === "object" ? <Verdict checked={checked} /> : null}
      </div>
    </>
  );
}

function Verdict({ checked }: { readonly checked: Checked }) {
  const { report, pin, records } = checked;
  if (!report.ok) return <Refused reason={report.reason} />;
  if (checked.shown !== "same") return <Problem text={M.receipts.notShown} />;
  const { value } = report;
  const { level, notes } = value;
  return (
    <>
      <p className="standing">
        <Badge tone="good" text={M.receipts.holds} />
      </p>
      <p className="lead">{sentence(statementOf(value))}</p>
      <dl className="facts">
        <Fact label={M.receipts.level}>
          {M.receipts.levels[level]}: {levelInWords(level)}
        </Fact>
        {notes.length === 0 ? null : (
          <Fact label={M.receipts.notes}>
            {notes.map((note) => (
              <p key={note}>{sentence(noteInWords(note))}</p>
            ))}
          </Fact>
        )}
      </dl>
      {pin === undefined ? null : <PinNote pin={pin} />}
      <ol className="steps">
        {stepsOf(value).map(({ step, standing, note }) => (
          <li key={step} className={standing}>
            <span>{M.receipts.steps[step]}</span>
            <span className="quiet">
              <Badge
                tone={standing === "done" ? "good" : "done"}
                text={standing === "done" ? M.receipts.stepDone : M.receipts.stepNone}
              />
              {note === undefined ? null : <span>{M.receipts.stepNotes[note]}</span>}
            </span>
          </li>
        ))}
      </ol>
      {records.map((record) => (
        <p key={record.kind}>
          <Badge tone={record.named ? "good" : "bad"} text={record.kind} />{" "}
          {record.named ? M.receipts.merchantNamed : M.receipts.merchantNotNamed}
        </p>
      ))}
    </>
  );
}

function Refused({ reason }: { readonly reason: Extract<VerificationReport, { ok: false }>["reason"] }) {
  return (
    <>
      <p className="standing">
        <Badge tone="bad" text={M.receipts.holdsNot} />
      </p>
      <p className="lead">{sentence(refusalInWords(reason))}</p>
      <dl className="facts">
        <Fact label={M.receipts.refusedAbout}>{M.receipts.parts[reason.part] ?? reason.part}</Fact>
        <Fact label={M.receipts.refusedAt(M.receipts.steps[reason.step])}>
          <code>{reason.code}</code>
        </Fact>
      </dl>
      <p>{M.receipts.refusedMeans}</p>
    </>
  );
}

function PinNote({ pin }: { readonly pin: NonNullable<Checked["pin"]> }) {
  switch (pin.standing) {
    case "new":
      return <p className="quiet">{M.receipts.pinNew}</p>;
    case "same":
      return (
        <p className="quiet">
          {M.receipts.pinSame} <When at={pin.since ?? ""} />.
        </p>
      );
    case "renewed":
      return <p className="quiet">{M.receipts.pinRenewed}</p>;
    case "other":
      return <Problem text={M.receipts.pinOther} />;
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

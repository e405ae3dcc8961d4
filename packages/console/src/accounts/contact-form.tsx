import { enteredProblems, labelTells, plainPhone } from "@countersign/profile";
import { useState } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import { problemText, send } from "../server/api.ts";
import { Fold } from "./fold.tsx";
import { Labelled } from "./labelled.tsx";

type Use = "email" | "phone";
const USES: readonly Use[] = ["email", "phone"];

/** How a site reaches the person; the agent gets to know its reference and its name, never the address or number. */
export function ContactForm(props: { readonly accountRef: string; readonly onSaved: () => Promise<void> }) {
  const [use, setUse] = useState<Use>("email");
  const [label, setLabel] = useState("");
  const [text, setText] = useState("");
  const [problems, setProblems] = useState<{ readonly value?: string; readonly label?: string }>({});
  const [note, setNote] = useState<{ readonly kind: "saved" | "problem"; readonly text: string }>();
  const save = () => {
    const value = { [use]: use === "phone" ? plainPhone(text) : text.trim() };
    const [refused] = enteredProblems("contact", value);
    const told = labelTells("contact", label, value) ? M.accounts.problems["label_tells"] : undefined;
    const wrong = refused === undefined ? undefined : M.accounts.problems[refused.problem];
    setProblems({
      ...(wrong === undefined ? {} : { value: wrong }),
      ...(told === undefined ? {} : { label: told }),
    });
    setNote(undefined);
    if (refused !== undefined || told !== undefined) return undefined;
    return send(`/accounts/${props.accountRef}/details`, { kind: "contact", label: label.trim(), value });
  };
  return (
    <Fold summary={M.accounts.addContact}>
      <p className="quiet">{M.accounts.contactExplain}</p>
      <p>
        <strong>{M.accounts.contactWarning}</strong>
      </p>
      <RadioGroup
        className="group"
        value={use}
        onChange={(picked) => {
          setUse(picked === "phone" ? "phone" : "email");
          setText("");
          setProblems({});
        }}
      >
        <Label>{M.accounts.contactUse}</Label>
        {USES.map((each) => (
          <Radio key={each} value={each} className="choice">
            {M.accounts.contactUses[each]}
          </Radio>
        ))}
      </RadioGroup>
      <Labelled
        key={use}
        label={M.accounts.contactUses[use]}
        help={M.accounts.contactHelp[use]}
        value={text}
        maxLength={254}
        autoComplete={use === "email" ? "email" : "tel"}
        inputMode={use === "email" ? "email" : "tel"}
        onChange={setText}
        problem={problems.value}
      />
      <Labelled
        label={M.accounts.contactLabel}
        help={M.accounts.labelHelp}
        value={label}
        maxLength={100}
        onChange={setLabel}
        problem={problems.label}
      />
      {note?.kind === "problem" ? <Problem text={note.text} /> : null}
      {note?.kind === "saved" ? <p role="status">{note.text}</p> : null}
      <Act
        label={M.accounts.saveContact}
        isDisabled={label.trim() === "" || text.trim() === ""}
        act={save}
        onDone={() => {
          setLabel("");
          setText("");
          setNote({ kind: "saved", text: M.accounts.savedContact });
          return props.onSaved();
        }}
        onProblem={(reason) => setNote({ kind: "problem", text: problemText(reason) })}
      />
    </Fold>
  );
}

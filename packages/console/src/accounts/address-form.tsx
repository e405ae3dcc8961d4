import { useId, useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import { problemText, send } from "../server/api.ts";
import { ADDRESS_FIELDS, type AddressText, addressOf } from "./address.ts";

/** A delivery address for an account; the agent gets to know its reference and its name, never the address itself. */
export function AddressForm(props: { readonly accountRef: string; readonly onSaved: () => Promise<void> }) {
  const id = useId();
  const [label, setLabel] = useState("");
  const [text, setText] = useState<AddressText>({});
  const [note, setNote] = useState<{ readonly kind: "saved" | "problem"; readonly text: string }>();
  const value = addressOf(text);
  return (
    <details>
      <summary>{M.accounts.addAddress}</summary>
      <p className="quiet">{M.accounts.addressExplain}</p>
      <div className="field">
        <label htmlFor={id}>{M.accounts.addressLabel}</label>
        <input id={id} value={label} maxLength={100} onChange={(event) => setLabel(event.target.value)} />
      </div>
      {ADDRESS_FIELDS.map((field) => (
        <div className="field" key={field.name}>
          <label htmlFor={`${id}-${field.name}`}>
            {M.accounts.fields[field.name]}
            {field.optional ? <span className="quiet"> ({M.accounts.optional})</span> : null}
          </label>
          <input
            id={`${id}-${field.name}`}
            autoComplete={field.autoComplete}
            required={!field.optional}
            maxLength={200}
            value={text[field.name] ?? ""}
            onChange={(event) => setText({ ...text, [field.name]: event.target.value })}
          />
        </div>
      ))}
      {note?.kind === "problem" ? <Problem text={note.text} /> : null}
      {note?.kind === "saved" ? <p role="status">{note.text}</p> : null}
      <Act
        label={M.accounts.save}
        isDisabled={label.trim() === "" || value === undefined}
        act={() =>
          send(`/accounts/${props.accountRef}/details`, {
            kind: "fulfillment",
            label: label.trim(),
            value: value ?? {},
          })
        }
        onDone={() => {
          setLabel("");
          setText({});
          setNote({ kind: "saved", text: M.accounts.savedNow });
          return props.onSaved();
        }}
        onProblem={(reason) => setNote({ kind: "problem", text: problemText(reason) })}
      />
    </details>
  );
}

import { enteredProblems, type FieldProblem, labelTells, plainPhone } from "@countersign/profile";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import { problemText, send } from "../server/api.ts";
import { ADDRESS_FIELDS, type AddressText, addressOf } from "./address.ts";
import { Fold } from "./fold.tsx";
import { Labelled } from "./labelled.tsx";

const WORDS = {
  fulfillment: { add: M.accounts.addAddress, explain: M.accounts.addressExplain },
  address: { add: M.accounts.addHome, explain: M.accounts.homeExplain },
} as const;

/** An address for an account; the agent gets to know its reference and its name, never the address itself. */
export function AddressForm(props: {
  readonly accountRef: string;
  readonly kind: "fulfillment" | "address";
  readonly onSaved: () => Promise<void>;
}) {
  const { kind } = props;
  const [label, setLabel] = useState("");
  const [text, setText] = useState<AddressText>({});
  const [tried, setTried] = useState<Readonly<Record<string, FieldProblem>>>({});
  const [note, setNote] = useState<{ readonly kind: "saved" | "problem"; readonly text: string }>();
  const value = addressOf(text);
  const problem = (field: string) => {
    const found = tried[field];
    return found === undefined ? undefined : M.accounts.problems[found];
  };
  const save = () => {
    const written = strict(kind, value ?? {});
    const refused = Object.fromEntries(enteredProblems(kind, written).map((each) => [each.field, each.problem]));
    const found = labelTells(kind, label, written) ? { ...refused, label: "label_tells" as const } : refused;
    setTried(found);
    if (Object.keys(found).length > 0) return undefined;
    return send(`/accounts/${props.accountRef}/details`, { kind, label: label.trim(), value: written });
  };
  return (
    <Fold summary={WORDS[kind].add}>
      <p className="quiet">{WORDS[kind].explain}</p>
      <Labelled
        label={M.accounts.addressLabel}
        {...(kind === "address" ? { help: M.accounts.labelHelp } : {})}
        value={label}
        maxLength={100}
        onChange={setLabel}
        problem={problem("label")}
      />
      {ADDRESS_FIELDS.map((field) => (
        <Labelled
          key={field.name}
          label={M.accounts.fields[field.name]}
          {...(field.optional ? { note: M.accounts.optional } : { need: "needed" as const })}
          autoComplete={field.autoComplete}
          maxLength={200}
          value={text[field.name] ?? ""}
          onChange={(typed) => setText({ ...text, [field.name]: typed })}
          problem={problem(field.name)}
        />
      ))}
      {note?.kind === "problem" ? <Problem text={note.text} /> : null}
      {note?.kind === "saved" ? <p role="status">{note.text}</p> : null}
      <Act
        label={M.accounts.save}
        isDisabled={label.trim() === "" || value === undefined}
        act={save}
        onDone={() => {
          setLabel("");
          setText({});
          setNote({ kind: "saved", text: M.accounts.savedNow });
          return props.onSaved();
        }}
        onProblem={(reason) => setNote({ kind: "problem", text: problemText(reason) })}
      />
    </Fold>
  );
}

/** A country in capitals, a number by its digits: what people write in many ways, in the one that sites take. */
function strict(kind: "fulfillment" | "address", value: AddressText): AddressText {
  if (kind === "fulfillment") return value;
  const { country, telephone } = value;
  return {
    ...value,
    ...(country === undefined ? {} : { country: country.toUpperCase() }),
    ...(telephone === undefined ? {} : { telephone: plainPhone(telephone) }),
  };
}

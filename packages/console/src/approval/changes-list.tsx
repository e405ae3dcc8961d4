import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import type { JsonObject } from "@countersign/wire";
import { useEffect, useState } from "react";
import { M } from "../messages.ts";
import { Text, Value } from "../parts/value.tsx";
import { type Change, changesBetween, personalChanges } from "./changes.ts";
import { disclosedTexts, type Faithful } from "./faithful.ts";

/** What moved since the record that was shown before (APR-4): what was, what is, and by how much. */
export function Changes(props: {
  readonly view: ApprovalView;
  readonly faithful: Faithful;
  readonly before: JsonObject;
}) {
  const { view, faithful, before } = props;
  const was = useEarlierTexts(view);
  const changes = [
    ...changesBetween(view.meaning, before, faithful.terms),
    ...(was === undefined ? [] : personalChanges(view.meaning, was, faithful.personal)),
  ];
  if (changes.length === 0) return null;
  return (
    <section className="changes" aria-labelledby="changes">
      <h3 id="changes">{M.approval.changed}</h3>
      <ul>
        {changes.map((change) => (
          <li key={`${change.path} ${change.label}`}>
            <OneChange change={change} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneChange({ change }: { readonly change: Change }) {
  const { before, now, difference } = change;
  if (change.whole !== undefined)
    return (
      <>
        <Name change={change} />: <strong>{M.approval[change.whole]}</strong>
      </>
    );
  if (before === undefined && now === undefined) return <Name change={change} />;
  return (
    <>
      <Name change={change} />: {M.approval.before}{" "}
      {before === undefined ? M.approval.absent : <Value value={before} />}, {M.approval.now}{" "}
      <strong>{now === undefined ? M.approval.absent : <Value value={now} />}</strong>
      {difference === undefined ? null : (
        <span className={`difference ${difference.kind}`}> ({M.approval[difference.kind](difference.amount)})</span>
      )}
    </>
  );
}

function Name({ change }: { readonly change: Change }) {
  return (
    <>
      <Text text={change.label} />
      {change.row === undefined ? null : (
        <>
          {", "}
          <Value value={change.row} />
        </>
      )}
    </>
  );
}

/** The personal texts of the record before, where the gateway gives them and they are that record's own. */
function useEarlierTexts(view: ApprovalView): Readonly<Record<string, string>> | undefined {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>();
  const subject = JSON.stringify([view.changed_from, view.changed_from_disclosures]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the subject holds all that is read
  useEffect(() => {
    let current = true;
    const { changed_from: record, changed_from_disclosures: disclosures } = view;
    if (record === undefined || disclosures === undefined) return;
    void disclosedTexts(record, disclosures).then((read) => {
      if (!current || read === undefined) return;
      const { display_text: _drawn, ...personal } = read;
      setTexts(personal);
    });
    return () => {
      current = false;
    };
  }, [subject]);
  return texts;
}

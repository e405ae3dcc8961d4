import { present, type Shown, type ShownField, type ShownValue, type TermsMeaning } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { ReactNode } from "react";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Value } from "../parts/value.tsx";
import { changesBetween } from "./changes.ts";

/** Below this place a term belongs on the first screen; from here on it is still shown, but smaller and last. */
const MINOR_PLACE = 100;
const FOLD_CHARS = 400;

/** Every term of the record, drawn by its operation's meaning; none is ever cut (U34). */
export function Terms(props: {
  readonly meaning: TermsMeaning;
  readonly terms: JsonObject;
  readonly personal: Readonly<Record<string, string>>;
  /** What belongs beside the major terms: whose account, how, until when. */
  readonly children: ReactNode;
}) {
  const shown = present(props.meaning, props.terms, props.personal);
  const firstListPlace = Math.min(...shown.lists.map((l) => l.place), MINOR_PLACE);
  const [headline, ...rest] = shown.fields.filter((f) => f.place < MINOR_PLACE);
  return (
    <section aria-label={M.approval.terms}>
      {headline === undefined ? null : (
        <p className="headline">
          <span className="kind">{headline.label}</span>
          <strong>
            <Value value={headline.value} />
          </strong>
        </p>
      )}
      <Fields fields={rest.filter((f) => f.place < firstListPlace)} />
      <Lists shown={shown} />
      <Fields fields={rest.filter((f) => f.place >= firstListPlace)} />
      {props.children}
      <Fields fields={shown.fields.filter((f) => f.place >= MINOR_PLACE)} minor />
    </section>
  );
}

function Fields(props: { readonly fields: readonly ShownField[]; readonly minor?: true }) {
  if (props.fields.length === 0) return null;
  return (
    <dl className={props.minor ? "minor" : "major"}>
      {props.fields.map((field) => (
        <Fact key={field.member} label={field.label}>
          {props.minor ? <Folded value={field.value} /> : <Value value={field.value} />}
        </Fact>
      ))}
    </dl>
  );
}

/** A text that would push the decision out of sight folds away, and says how long it is (U34). */
function Folded({ value }: { readonly value: ShownValue }) {
  const length = value.segments.reduce((sum, segment) => sum + segment.text.length, 0);
  if (length <= FOLD_CHARS) return <Value value={value} />;
  return (
    <details>
      <summary>{M.approval.long(length)}</summary>
      <Value value={value} />
    </details>
  );
}

function Lists({ shown }: { readonly shown: Shown }) {
  return shown.lists.map((list) => (
    <table key={list.member}>
      <caption>{list.label}</caption>
      <thead>
        <tr>
          {columnsOf(list.rows).map((column) => (
            <th key={column.member} scope="col" className={column.show}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {list.rows.map((row, index) => (
          // Rows of one frozen record never move.
          <tr key={index}>
            {columnsOf(list.rows).map((column) => {
              const field = row.find((f) => f.member === column.member);
              return (
                <td key={column.member} className={column.show}>
                  {field === undefined ? null : <Value value={field.value} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  ));
}

/** A row may lack a field that others have: every column of any row is a column, or a value would stand under another's name. */
function columnsOf(rows: readonly (readonly ShownField[])[]): readonly ShownField[] {
  const columns = new Map<string, ShownField>();
  for (const field of rows.flat()) if (!columns.has(field.member)) columns.set(field.member, field);
  return [...columns.values()].sort((a, b) => a.place - b.place);
}

/** What moved since the record that was shown before (APR-4). */
export function Changes(props: {
  readonly meaning: TermsMeaning;
  readonly before: JsonObject;
  readonly now: JsonObject;
}) {
  const changes = changesBetween(props.meaning, props.before, props.now);
  if (changes.length === 0) return null;
  return (
    <section className="changes" aria-label={M.approval.changed}>
      <h3>{M.approval.changed}</h3>
      <ul>
        {changes.map((change) => (
          <li key={`${change.path} ${change.label}`}>
            {change.label}
            {change.before === undefined && change.now === undefined ? null : (
              <>
                {": "}
                {M.approval.before} {change.before === undefined ? M.approval.absent : <Value value={change.before} />}
                {", "}
                {M.approval.now}{" "}
                <strong>{change.now === undefined ? M.approval.absent : <Value value={change.now} />}</strong>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

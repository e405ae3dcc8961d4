import { compareTerms, present, type Shown, type TermsMeaning } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { M } from "../messages.ts";
import { Value } from "../parts/value.tsx";

/** Every term of the record, drawn by its operation's meaning; the ones of place 100 and beyond fold away last. */
export function Terms(props: {
  readonly meaning: TermsMeaning;
  readonly terms: JsonObject;
  readonly personal: Readonly<Record<string, string>>;
}) {
  const shown = present(props.meaning, props.terms, props.personal);
  const [first, ...rest] = shown.fields.filter((f) => f.place < 100);
  const minor = shown.fields.filter((f) => f.place >= 100);
  return (
    <>
      {first === undefined ? null : (
        <p className="headline">
          <span className="kind">{first.label}</span>
          <strong>
            <Value value={first.value} />
          </strong>
        </p>
      )}
      <Lists shown={shown} />
      <dl>
        {rest.map((field) => (
          <div key={field.member}>
            <dt>{field.label}</dt>
            <dd>
              <Value value={field.value} />
            </dd>
          </div>
        ))}
      </dl>
      <dl className="minor">
        {minor.map((field) => (
          <div key={field.member}>
            <dt>{field.label}</dt>
            <dd>
              <Value value={field.value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Lists({ shown }: { readonly shown: Shown }) {
  return shown.lists.map((list) => (
    <table key={list.member}>
      <caption>{list.label}</caption>
      <thead>
        <tr>
          {(list.rows[0] ?? []).map((field) => (
            <th key={field.member} scope="col">
              {field.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {list.rows.map((row, index) => (
          // Rows are those of one frozen record and never move.
          <tr key={index}>
            {row.map((field) => (
              <td key={field.member} className={field.show}>
                <Value value={field.value} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  ));
}

/** What moved since the record that was shown before, in the words of the catalogue. */
export function Changes(props: {
  readonly meaning: TermsMeaning;
  readonly before: JsonObject;
  readonly now: JsonObject;
}) {
  const compared = compareTerms(props.meaning, props.before, props.now);
  const all = [...compared.breaks, ...compared.lower];
  if (all.length === 0) return null;
  const old = present(props.meaning, props.before, {});
  const fresh = present(props.meaning, props.now, {});
  return (
    <section className="changes" aria-label={M.approval.changed}>
      <h3>{M.approval.changed}</h3>
      <ul>
        {all.map((difference) => {
          const was = old.fields.find((f) => f.member === difference.path);
          const is = fresh.fields.find((f) => f.member === difference.path);
          return (
            <li key={difference.path}>
              {difference.label}
              {was === undefined || is === undefined ? null : (
                <>
                  {": "}
                  {M.approval.before} <Value value={was.value} />, {M.approval.now} <Value value={is.value} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { present, type Shown, type ShownField } from "@countersign/profile";
import { isJsonObject, type JsonObject } from "@countersign/wire";
import { type ReactNode, useMemo } from "react";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Folded, Host, Text, Value } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { Members } from "./agent-words.tsx";
import type { Faithful } from "./faithful.ts";

/** Below this place a term belongs on the first screen; from here on it is still shown, but smaller and later. */
const MINOR_PLACE = 100;
/** From here on stand references and the like, for who wants to compare them: they open on demand. */
const REFERENCE_PLACE = 120;
/** A headline of this many characters or more is no figure or name: it is set as text. */
const HEADLINE_CHARS = 40;

interface TermsProps {
  readonly view: ApprovalView;
  readonly faithful: Faithful;
}

function useShown({ view, faithful }: TermsProps): Shown {
  const { meaning } = view;
  return useMemo(() => present(meaning, faithful.terms, faithful.personal), [meaning, faithful]);
}

/**
 * The terms that matter, whole (U34), in places that do not depend on what they say: what it costs beside the time left,
 * who is paid, whose account, then what for how many. They come from the record and from what the gateway knows of the
 * account; no text of an agent reaches them (U32).
 */
export function Terms(props: TermsProps & { readonly left: ReactNode }) {
  const shown = useShown(props);
  const { account } = props.view;
  const major = shown.fields.filter((field) => field.place < MINOR_PLACE);
  const headline = major.find((field) => field.show === "money") ?? major[0];
  const hosts = major.filter((field) => field.show === "host");
  const rest = major.filter((field) => field !== headline && !hosts.includes(field));
  return (
    <section aria-label={M.approval.terms} className="terms">
      <div className="stake">
        {headline === undefined ? null : <Headline field={headline} />}
        {props.left}
      </div>
      <dl className="major">
        {hosts.map((field) => (
          <Term key={field.member} field={field} />
        ))}
        <Fact label={M.approval.account}>
          <Text text={account.name} /> · <Text text={account.destination_title} />
        </Fact>
      </dl>
      <Lists shown={shown} />
      <dl className="major">
        {rest.map((field) => (
          <Term key={field.member} field={field} />
        ))}
        <Fact label={M.approval.route}>
          <Route record={props.faithful.record} />
        </Fact>
      </dl>
    </section>
  );
}

/** Every other term; references, and the limits that it was judged by, open on demand. */
export function MoreTerms(props: TermsProps) {
  const { fields } = useShown(props);
  const { limits } = props.faithful.record;
  const limited = limits !== undefined && isJsonObject(limits) && Object.keys(limits).length > 0;
  const minor = fields.filter((field) => field.place >= MINOR_PLACE && field.place < REFERENCE_PLACE);
  const references = fields.filter((field) => field.place >= REFERENCE_PLACE);
  return (
    <section aria-label={M.approval.more} className="more">
      <Minor fields={minor} />
      {references.length === 0 && !limited ? null : (
        <details>
          <summary>{M.approval.more}</summary>
          <Minor fields={references} />
          {limited ? (
            <>
              <span className="kind">{M.approval.limits}</span>
              <dl className="minor">
                <Members value={limits} />
              </dl>
            </>
          ) : null}
        </details>
      )}
    </section>
  );
}

function Minor(props: { readonly fields: readonly ShownField[] }) {
  if (props.fields.length === 0) return null;
  return (
    <dl className="minor">
      {props.fields.map((field) => (
        <Fact key={field.member} label={field.label}>
          {field.show === "instant" ? <Instant field={field} /> : <Folded value={field.value} />}
        </Fact>
      ))}
    </dl>
  );
}

function Headline({ field }: { readonly field: ShownField }) {
  const length = field.value.segments.reduce((sum, segment) => sum + segment.text.length, 0);
  return (
    <p className={length < HEADLINE_CHARS ? "headline" : "headline long"}>
      <span className="kind">{field.label}</span>
      <strong>
        <Value value={field.value} />
      </strong>
    </p>
  );
}

function Term({ field }: { readonly field: ShownField }) {
  return (
    <Fact label={field.label}>
      {field.show === "instant" ? <Instant field={field} /> : <Value value={field.value} />}
    </Fact>
  );
}

/** A time in the person's own zone; exactly as the record has it in the markup. */
function Instant({ field }: { readonly field: ShownField }) {
  const text = field.value.segments.map((segment) => segment.text).join("");
  return Number.isNaN(Date.parse(text)) ? <Value value={field.value} /> : <When at={text} />;
}

/** By which way and where it will be done, from the record itself. */
function Route({ record }: { readonly record: JsonObject }) {
  const { route } = record;
  if (route === undefined || !isJsonObject(route)) return null;
  const { kind, origin } = route;
  const way = typeof kind === "string" ? (M.routes[kind] ?? kind) : "";
  return (
    <>
      <Text text={way} /> · {typeof origin === "string" ? <Host origin={origin} /> : null}
    </>
  );
}

function Lists({ shown }: { readonly shown: Shown }) {
  return shown.lists.map((list) => {
    const columns = columnsOf(list.rows);
    return (
      <table key={list.member}>
        <caption>
          {list.label}
          {list.rows.length > 3 ? ` · ${M.approval.moreOf(list.rows.length)}` : ""}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.member} scope="col" className={`show-${column.show}`}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.rows.map((row, index) => (
            // Rows of one frozen record never move.
            <tr key={index}>
              {columns.map((column) => {
                const field = row.find((f) => f.member === column.member);
                return (
                  <td key={column.member} className={`show-${column.show}`}>
                    {field === undefined ? null : <Value value={field.value} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    );
  });
}

/**
 * A row may lack a field that others have: every column of any row is a column, or a value would stand under another's
 * name. Counts come first: however long a title is, how many of it stands at its beginning.
 */
function columnsOf(rows: readonly (readonly ShownField[])[]): readonly ShownField[] {
  const columns = new Map<string, ShownField>();
  for (const field of rows.flat()) if (!columns.has(field.member)) columns.set(field.member, field);
  const rank = (field: ShownField) => (field.show === "count" ? 0 : 1);
  return [...columns.values()].sort((a, b) => rank(a) - rank(b) || a.place - b.place);
}

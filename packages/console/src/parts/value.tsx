import { hostWarning, type ShownValue } from "@countersign/profile";
import { hostDisplay, plainText, revealText, type Segment } from "@countersign/wire";
import { useMemo } from "react";
import { M } from "../messages.ts";

/** A text longer than this is not the field's own size any more: it opens on demand, and says how long it is (U34). */
const FOLD_CHARS = 400;
/** What is shown of a folded text. */
const HEAD_CHARS = 160;

/**
 * Text of a site, an agent or a person: invisible, bidi and odd characters stand out as what they are. It is isolated, so
 * that honest letters of a right-to-left script move nothing that stands beside them.
 */
export function Value(props: { readonly value: ShownValue }) {
  return (
    <bdi className="value">
      <Segments segments={props.value.segments} />
      {props.value.warning === undefined ? null : <strong className="warning">{props.value.warning}</strong>}
    </bdi>
  );
}

function Segments(props: { readonly segments: readonly Segment[] }) {
  return props.segments.map((segment, index) =>
    segment.kind === "plain" ? (
      // The segments of one text never change places.
      <span key={index}>{segment.text}</span>
    ) : (
      <span key={index} className="escaped" title={M.escaped[segment.why]}>
        {segment.text}
      </span>
    ),
  );
}

/** The same for where only text can stand: a document's title, a name for a screen reader. */
export function shownText(text: string): string {
  return plainText(revealText(text));
}

export function Text(props: { readonly text: string }) {
  const segments = useMemo(() => revealText(props.text), [props.text]);
  return <Value value={{ segments }} />;
}

/** The host, or the origin, of a site: in ASCII, with a warning where it may imitate another (U31). */
export function Host(props: { readonly origin: string }) {
  const [, scheme = "", host = ""] = /^([a-z]+:\/\/)?(.*)$/s.exec(props.origin) ?? [];
  const { ascii, warning } = hostDisplay(host);
  const said = hostWarning(warning);
  const text = `${scheme}${ascii}`;
  return <Value value={{ segments: [{ kind: "plain", text }], ...(said === undefined ? {} : { warning: said }) }} />;
}

/** A text that would push the rest out of sight begins here, says how long it is, and opens to all of it. */
export function Folded({ value }: { readonly value: ShownValue }) {
  const length = value.segments.reduce((sum, segment) => sum + Array.from(segment.text).length, 0);
  if (length <= FOLD_CHARS) return <Value value={value} />;
  const { warning } = value;
  return (
    <>
      <Value value={{ segments: headOf(value.segments), ...(warning === undefined ? {} : { warning }) }} />
      <span aria-hidden="true">…</span>
      <details className="folded">
        <summary>{M.longText(length)}</summary>
        <Value value={{ segments: value.segments }} />
      </details>
    </>
  );
}

function headOf(segments: readonly Segment[]): readonly Segment[] {
  const head: Segment[] = [];
  let left = HEAD_CHARS;
  for (const segment of segments) {
    if (left <= 0) break;
    const text = segment.kind === "plain" ? Array.from(segment.text).slice(0, left).join("") : segment.text;
    head.push({ ...segment, text });
    left -= Array.from(text).length;
  }
  return head;
}

import type { ShownValue } from "@countersign/profile";
import { revealText } from "@countersign/wire";

/** Text of a site or an agent: invisible, bidi and odd characters stand out as what they are. */
export function Value(props: { readonly value: ShownValue }) {
  return (
    <span className="value">
      {props.value.segments.map((segment, index) =>
        segment.kind === "plain" ? (
          // The segments of one text never change places.
          <span key={index}>{segment.text}</span>
        ) : (
          <span key={index} className="escaped" title={segment.why}>
            {segment.text}
          </span>
        ),
      )}
      {props.value.warning === undefined ? null : <strong className="warning">{props.value.warning}</strong>}
    </span>
  );
}

export function Text(props: { readonly text: string }) {
  return <Value value={{ segments: revealText(props.text) }} />;
}

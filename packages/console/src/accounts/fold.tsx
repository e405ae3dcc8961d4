import { type ReactNode, useState } from "react";

/** What is drawn once it is opened: closed forms would repeat their fields to whoever reads the page by its labels. */
export function Fold(props: { readonly summary: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.summary}</summary>
      {open ? props.children : null}
    </details>
  );
}

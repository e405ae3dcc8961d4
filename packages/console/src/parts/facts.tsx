import type { ReactNode } from "react";

/** One named fact of a record. */
export function Fact(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

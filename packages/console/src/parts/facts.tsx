import type { ReactNode } from "react";
import { Text } from "./value.tsx";

/** One named fact of a record. */
export function Fact(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>
        <Text text={props.label} />
      </dt>
      <dd>{props.children}</dd>
    </div>
  );
}

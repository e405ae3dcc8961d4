import type { ReactNode } from "react";
import { Go } from "./page.tsx";
import { Text } from "./value.tsx";

/** One thing of a list: its name and how it stands, with a few lines about it; all of it leads to its page. */
export function CardLink(props: {
  readonly to: string;
  readonly title: string;
  readonly badge: ReactNode;
  /** `review`: the person has to look at it. */
  readonly mark?: "review" | undefined;
  readonly children: ReactNode;
}) {
  return (
    <li className={props.mark === undefined ? "card" : `card ${props.mark}`}>
      <Go to={props.to}>
        <span className="line">
          <strong>
            <Text text={props.title} />
          </strong>
          {props.badge}
        </span>
        {props.children}
      </Go>
    </li>
  );
}

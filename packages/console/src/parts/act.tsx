import type { Result } from "@countersign/wire";
import { useRef, useState } from "react";
import { Button } from "react-aria-components";
import type { CallProblem } from "../server/api.ts";
import { Text } from "./value.tsx";

/**
 * A button that asks the gateway for something once. A second press, of a double click or of an impatient person,
 * waits until the first is answered and the page shows the answer.
 */
export function Act(props: {
  readonly label: string;
  readonly kind?: "primary" | "plain" | "danger";
  readonly isDisabled?: boolean;
  readonly describedBy?: string;
  /** Nothing is asked where it answers undefined: the page itself says what is to be put right first. */
  readonly act: () => Promise<Result<unknown, CallProblem>> | undefined;
  readonly onDone?: () => Promise<void> | void;
  readonly onProblem?: (problem: CallProblem) => Promise<void> | void;
}) {
  const busy = useRef(false);
  const [pending, setPending] = useState(false);
  const press = async () => {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    try {
      const answer = await props.act();
      if (answer === undefined) return;
      await (answer.ok ? props.onDone?.() : props.onProblem?.(answer.reason));
    } finally {
      busy.current = false;
      setPending(false);
    }
  };
  return (
    <Button
      className={`button ${props.kind ?? "plain"}${pending ? " pending" : ""}`}
      isDisabled={props.isDisabled ?? false}
      {...(props.describedBy === undefined ? {} : { "aria-describedby": props.describedBy })}
      onPress={() => void press()}
    >
      <Text text={props.label} />
    </Button>
  );
}

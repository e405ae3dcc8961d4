import type { Result } from "@countersign/wire";
import { useRef, useState } from "react";
import { Button } from "react-aria-components";
import type { CallProblem } from "../api.ts";

/** A button that asks the gateway for something once: a second press waits for the first answer. */
export function Act(props: {
  readonly label: string;
  readonly kind?: "primary" | "plain" | "danger";
  readonly isDisabled?: boolean;
  readonly act: () => Promise<Result<unknown, CallProblem>>;
  readonly onDone?: () => void;
  readonly onProblem?: (problem: CallProblem) => void;
}) {
  const busy = useRef(false);
  const [pending, setPending] = useState(false);
  const press = async () => {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    const answer = await props.act();
    busy.current = false;
    setPending(false);
    if (answer.ok) props.onDone?.();
    else props.onProblem?.(answer.reason);
  };
  return (
    <Button
      className={`button ${props.kind ?? "plain"}`}
      isDisabled={props.isDisabled ?? false}
      isPending={pending}
      onPress={() => void press()}
    >
      {props.label}
    </Button>
  );
}

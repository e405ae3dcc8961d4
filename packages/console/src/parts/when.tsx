import { useEffect, useState } from "react";
import { M } from "../messages.ts";
import { remaining } from "./remaining.ts";

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** An instant in the person's own locale and zone; the exact one is in the markup. */
export function When(props: { readonly at: string }) {
  const at = new Date(props.at);
  return <time dateTime={props.at}>{Number.isNaN(at.getTime()) ? props.at : DATE.format(at)}</time>;
}

/** The time left until an instant, counting down. */
export function Countdown(props: { readonly to: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = remaining(Date.parse(props.to) - now);
  return (
    <time dateTime={props.to} role="timer" className="countdown">
      {left ?? M.runOut}
    </time>
  );
}

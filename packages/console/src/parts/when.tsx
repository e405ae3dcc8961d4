import { useEffect, useState } from "react";
import { M } from "../messages.ts";
import { serverNow } from "../server/clock.ts";
import { useNow } from "./clock.ts";
import { remaining } from "./remaining.ts";
import { relativeText } from "./time-text.ts";

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
/** With seconds and the zone: what a person would write into a complaint. */
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** An instant in the person's own locale and zone; the exact one is in the markup. */
export function When(props: { readonly at: string }) {
  const at = new Date(props.at);
  if (Number.isNaN(at.getTime())) return <time>{props.at}</time>;
  return (
    <time dateTime={props.at} title={EXACT.format(at)}>
      {DATE.format(at)}
    </time>
  );
}

/** An instant as it is from now: "2 minutes ago". The exact one is in the title. */
export function Ago(props: { readonly at: string }) {
  const now = useNow();
  const at = Date.parse(props.at);
  if (Number.isNaN(at)) return <time>{props.at}</time>;
  return (
    <time dateTime={props.at} title={EXACT.format(at)}>
      {relativeText(at, now, { relative: RELATIVE, date: DAY })}
    </time>
  );
}

/** The milliseconds left until an instant by the gateway's clock, renewed each second. */
export function useLeft(to: string): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(to) - now;
}

/** The time left until an instant, counting down by the gateway's clock. */
export function Countdown(props: { readonly to: string }) {
  const left = remaining(useLeft(props.to));
  return (
    <time dateTime={props.to} role="timer" className="countdown">
      {left ?? M.runOut}
    </time>
  );
}

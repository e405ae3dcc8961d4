import { useEffect, useState } from "react";

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** An instant in the person's own locale and zone; the exact one is in the markup. */
export function When(props: { readonly at: string }) {
  return <time dateTime={props.at}>{DATE.format(new Date(props.at))}</time>;
}

/** Minutes and seconds until an instant; "0:00" once it has passed. */
export function Countdown(props: { readonly to: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((Date.parse(props.to) - now) / 1_000));
  return (
    <time dateTime={props.to} role="timer">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </time>
  );
}

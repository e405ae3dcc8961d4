import { type ReactNode, useEffect, useRef } from "react";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { problemText } from "../server/api.ts";
import type { Loaded } from "../server/use-load.ts";

/** A page with its title. The title takes the focus, so that a screen reader starts where the page does. */
export function Page(props: { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${props.title} · ${M.brand}`;
  }, [props.title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main id="main">
      <h1 ref={heading} tabIndex={-1}>
        {props.title}
      </h1>
      {props.children}
    </main>
  );
}

/** Loading, signed out, missing and trouble look the same on every page. */
export function Show<T>(props: { readonly loaded: Loaded<T>; readonly children: (value: T) => ReactNode }) {
  const { value, problem } = props.loaded;
  if (problem === "unauthenticated") return <SignedOut />;
  if (problem === "not_found") return <p role="status">{M.gone}</p>;
  if (value === undefined)
    return problem === undefined ? <p role="status">{M.loading}</p> : <Problem text={problemText(problem)} />;
  return (
    <>
      {problem === undefined ? null : <Problem text={problemText(problem)} />}
      {props.children(value)}
    </>
  );
}

export function Problem(props: { readonly text: string }) {
  return (
    <p className="problem" role="alert">
      {props.text}
    </p>
  );
}

function SignedOut() {
  return (
    <section className="card">
      <h2>{M.signedOut.title}</h2>
      <p>{M.signedOut.text}</p>
      <p>
        <code className="command">{M.signedOut.command}</code>
      </p>
      <p className="quiet">
        {M.signedOut.checkout} <code>{M.signedOut.checkoutCommand}</code>
      </p>
      <p className="quiet">{M.signedOut.why}</p>
    </section>
  );
}

/** A link inside the console: no page load, but a real address for a new tab or a screen reader. */
export function Go(props: {
  readonly to: string;
  readonly className?: string;
  readonly current?: "page" | "section" | undefined;
  readonly children: ReactNode;
}) {
  const current = props.current === undefined ? {} : { "aria-current": props.current === "page" ? "page" : true };
  return (
    <a
      href={props.to}
      className={props.className}
      {...(current as { "aria-current"?: "page" | true })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
        event.preventDefault();
        go(props.to);
      }}
    >
      {props.children}
    </a>
  );
}

import { type ReactNode, useEffect } from "react";
import { problemText } from "../api.ts";
import { M } from "../messages.ts";
import { go } from "../router.ts";
import type { Loaded } from "../use-load.ts";

export function Page(props: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · ${M.brand}`;
  }, [props.title]);
  return (
    <main id="main">
      <h1>{props.title}</h1>
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
        <code>{M.signedOut.command}</code>
      </p>
    </section>
  );
}

/** A link inside the console: no page load, but a real address for a new tab or a screen reader. */
export function Go(props: { readonly to: string; readonly className?: string; readonly children: ReactNode }) {
  return (
    <a
      href={props.to}
      className={props.className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(props.to);
      }}
    >
      {props.children}
    </a>
  );
}

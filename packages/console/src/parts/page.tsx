import { type ReactNode, useEffect, useRef } from "react";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { problemText } from "../server/api.ts";
import type { Loaded } from "../server/use-load.ts";
import { Icon } from "./icons.tsx";
import { Loading } from "./loading.tsx";
import { Problem } from "./problem.tsx";
import { SignedOut } from "./signed-out.tsx";
import { shownText, Text } from "./value.tsx";
import { When } from "./when.tsx";

export { Loading } from "./loading.tsx";
export { Problem } from "./problem.tsx";

/** A page with its title. The title takes the focus, so that a screen reader starts where the page does. */
export function Page(props: {
  readonly title: string;
  /** Where this page belongs, as a way back. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shownText(props.title)} · ${M.brand}`;
  }, [props.title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main id="main">
      {props.back === undefined ? null : (
        <p className="back">
          <Go to={props.back.to}>{props.back.label}</Go>
        </p>
      )}
      <h1 ref={heading} tabIndex={-1}>
        <Text text={props.title} />
      </h1>
      {props.children}
    </main>
  );
}

/**
 * Loading, signed out, missing and trouble look the same on every page. While the gateway is away the page keeps what it
 * knew, and says of when that is.
 */
export function Show<T>(props: { readonly loaded: Loaded<T>; readonly children: (value: T) => ReactNode }) {
  const { value, problem, at } = props.loaded;
  if (problem === "unauthenticated") return <SignedOut />;
  if (problem === "not_found") return <p role="status">{M.gone}</p>;
  if (value === undefined) return problem === undefined ? <Loading /> : <Problem text={problemText(problem)} />;
  return (
    <>
      {problem === undefined ? null : (
        <div className="problem" role="alert">
          <Icon name="away" />
          <div>
            <p>{problemText(problem)}</p>
            {at === undefined ? null : (
              <p className="quiet">
                {M.lastKnown} <When at={new Date(at).toISOString()} />
              </p>
            )}
          </div>
        </div>
      )}
      {props.children(value)}
    </>
  );
}

/** A page with nothing on it yet: what will be here, and how it comes to be. */
export function Empty(props: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <section className="card empty">
      <p role="status">{props.title}</p>
      {props.children === undefined ? null : <p className="quiet">{props.children}</p>}
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

import { Component, type ReactNode } from "react";
import { M } from "../messages.ts";
import { Page } from "../parts/page.tsx";

/** A page that cannot draw what it was given says so and offers nothing: half a page must never ask for a decision. */
export class Guard extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Page title={M.broken.title}>
        <p className="problem" role="alert">
          {M.broken.text}
        </p>
      </Page>
    );
  }
}

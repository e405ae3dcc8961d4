import { M } from "../messages.ts";
import { Page } from "../parts/page.tsx";
import { SignInBox } from "./sign-in-box.tsx";

/** All that somebody sees who is signed out: no navigation to pages that they cannot see. */
export function SignInPage() {
  return (
    <div className="frame alone">
      <header>
        <span className="brand">{M.brand}</span>
      </header>
      <Page title={M.signIn.title}>
        <SignInBox />
      </Page>
    </div>
  );
}

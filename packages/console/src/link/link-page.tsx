import { useEffect, useState } from "react";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Page, Problem } from "../parts/page.tsx";
import { problemText, send } from "../server/api.ts";
import { FirstPasskey } from "./first-passkey.tsx";
import { captureLinkToken, linkToken } from "./link-token.ts";

/**
 * The one-time link. Its token is in the fragment, which no server sees; it leaves the address bar at once, and is
 * spent only by a press, so that a preview or a scanner that fetches the link changes nothing (U38). Then the person
 * makes a passkey, or says that they will later.
 */
export function LinkPage() {
  const [token, setToken] = useState(linkToken);
  const [signedIn, setSignedIn] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // A second link opened in this same tab changes the fragment only.
    const again = () => {
      captureLinkToken();
      setToken(linkToken());
      setSignedIn(false);
      setProblem(undefined);
    };
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  if (signedIn) return <FirstPasskey onDone={() => go("/")} />;
  return (
    <Page title={M.link.title}>
      <section className="card">
        {token === "" ? (
          <>
            <Problem text={M.link.missing} />
            <p>
              <code className="command">{M.signIn.command}</code>
            </p>
          </>
        ) : (
          <>
            <p>{M.link.text}</p>
            {problem === undefined ? null : <Problem text={problem} />}
            <Act
              label={M.link.action}
              kind="primary"
              act={() => send("/session", { link_token: token })}
              onDone={() => setSignedIn(true)}
              onProblem={(reason) =>
                setProblem(reason === "gone" || reason === "invalid_request" ? M.link.spent : problemText(reason))
              }
            />
          </>
        )}
      </section>
    </Page>
  );
}

import { useEffect, useState } from "react";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Go, Page, Problem } from "../parts/page.tsx";
import { problemText, send } from "../server/api.ts";
import { takeOutsideAnswer } from "./outside-answer.ts";

/** Where an outside provider sends the browser back to. What it brought is posted, and the person goes where they wanted. */
export function OutsidePage() {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const answer = takeOutsideAnswer();
    if (answer === undefined) {
      // Drawn a second time while the first answer is on its way, or opened by hand.
      const timer = setTimeout(() => setProblem((said) => said ?? M.signIn.outsideRefused), WAIT_MS);
      return () => clearTimeout(timer);
    }
    void send<{ readonly back: string }>("/sign-in/outside/finish", answer).then((done) => {
      if (done.ok) go(done.value.back);
      else setProblem(done.reason === "forbidden" ? M.signIn.outsideRefused : problemText(done.reason));
    });
    return undefined;
  }, []);
  return (
    <Page title={M.link.title}>
      <section className="card">
        {problem === undefined ? (
          <p role="status">{M.signIn.outsideWaiting}</p>
        ) : (
          <>
            <Problem text={problem} />
            <p>
              <Go to="/">{M.signIn.again}</Go>
            </p>
          </>
        )}
      </section>
    </Page>
  );
}

const WAIT_MS = 5_000;

import type { FormAnswerView } from "@countersign/gateway/trusted-contract";
import { useEffect, useState } from "react";
import { takeReturn } from "../accounts/connect.ts";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Go, Page, Problem } from "../parts/page.tsx";
import { problemText, send } from "../server/api.ts";
import { takeReturned } from "./returned.ts";
import { otherAccount } from "./site-form.tsx";

const WAIT_MS = 5_000;

/** Where a site sends the person back to. What it brought is posted once, and the hand-off goes on. */
export function ReturnedPage() {
  const [over, setOver] = useState<{ readonly text: string; readonly ref?: string }>();
  useEffect(() => {
    const came = takeReturned();
    if (came === undefined) {
      // Drawn a second time while the first answer is on its way, or opened by hand.
      const timer = setTimeout(() => setOver((said) => said ?? { text: M.handoff.goNothing }), WAIT_MS);
      return () => clearTimeout(timer);
    }
    const { ref, answer } = came;
    void send<FormAnswerView>(`/continuations/${ref}/returned`, { answer }).then((done) => {
      if (!done.ok) setOver({ text: problemText(done.reason), ref });
      else if (done.value.kind === "done") go(takeReturn(ref) ?? `/continuations/${ref}`);
      else if (done.value.kind === "other_account") setOver({ text: otherAccount(done.value), ref });
      else setOver({ text: done.value.message ?? M.handoff.goNothing, ref });
    });
    return undefined;
  }, []);
  return (
    <Page title={M.handoff.goTitle}>
      <section className="card">
        {over === undefined ? (
          <p role="status">{M.handoff.goWaiting}</p>
        ) : (
          <>
            <Problem text={over.text} />
            <div className="actions">
              <Go to={over.ref === undefined ? "/" : `/continuations/${over.ref}`} className="button plain">
                {over.ref === undefined ? M.approval.inbox : M.handoff.again}
              </Go>
            </div>
          </>
        )}
      </section>
    </Page>
  );
}

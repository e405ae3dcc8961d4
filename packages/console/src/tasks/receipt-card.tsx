import type { SessionView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { confirmationOf, differs, exceeded, observedLines } from "./receipt.ts";

/** What the receipt says, and the evidence to take away and check elsewhere (APR-7). */
export function ReceiptCard(props: { readonly receipt: JsonObject; readonly taskId: string }) {
  const { receipt, taskId } = props;
  const session = useLoad<SessionView>("/session");
  const { outcome, reason, finished_at: finishedAt, account_seq: number } = receipt;
  const confirmation = confirmationOf(receipt);
  return (
    <section className="card">
      <h2>{M.tasks.receipt}</h2>
      {exceeded(receipt) ? <p className="problem">{M.tasks.exceeded}</p> : null}
      {differs(receipt) ? <p className="problem">{M.tasks.differs}</p> : null}
      <dl>
        {typeof outcome === "string" ? <Fact label={M.tasks.outcome}>{outcomeText(outcome)}</Fact> : null}
        {typeof reason === "string" && isReason(reason) ? (
          <Fact label={M.tasks.why}>{REASONS[reason].title}</Fact>
        ) : null}
        {confirmation === undefined ? null : (
          <Fact label={M.tasks.confirmation}>
            <Text text={confirmation} />
          </Fact>
        )}
        {observedLines(receipt).map((line) => (
          <Fact key={line.name} label={line.name}>
            <Text text={line.value} />
          </Fact>
        ))}
        {typeof finishedAt === "string" ? (
          <Fact label={M.tasks.finished}>
            <When at={finishedAt} />
          </Fact>
        ) : null}
        {typeof number === "number" ? <Fact label={M.tasks.number}>{number}</Fact> : null}
      </dl>
      <a className="button plain" href={`/trusted/v1/tasks/${taskId}/bundle`} download={`${taskId}.bundle.json`}>
        {M.tasks.bundle}
      </a>
      {session.value === undefined ? null : (
        <details>
          <summary>{M.tasks.check}</summary>
          <p>{M.tasks.checkText}</p>
          <code className="command">
            {M.tasks.checkCommand(`${taskId}.bundle.json`, session.value.pin, session.value.issuer)}
          </code>
        </details>
      )}
    </section>
  );
}

function outcomeText(outcome: string): string {
  return Object.hasOwn(M.states, outcome) ? M.states[outcome as keyof typeof M.states] : outcome;
}

import type { SessionView, TaskView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import { isJsonObject, type JsonObject } from "@countersign/wire";
import { lazy, Suspense } from "react";
import { M } from "../messages.ts";
import { OutcomeBadge } from "../parts/badge.tsx";
import { Fact } from "../parts/facts.tsx";
import { Amount } from "../parts/money.tsx";
import { Go, Loading, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { MerchantRecords } from "./merchant-records.tsx";
import { confirmationOf, differs, exceeded, observedLines } from "./observed.ts";

/** The verifier comes with a file of its own: who only reads a receipt does not wait for it. */
const Verify = lazy(async () => ({ default: (await import("./verify-card.tsx")).VerifyCard }));

const BACK = { to: "/receipts", label: M.receipts.title };

/** A receipt in words, the evidence to take away, and the check of it in this browser (APR-7, REC-1, REC-3). */
export function ReceiptPage({ id }: { readonly id: string }) {
  const loaded = useLoad<TaskView>(`/tasks/${id}`);
  return (
    <Page title={M.receipts.one} back={BACK}>
      <Show loaded={loaded}>
        {(task) =>
          task.receipt === undefined ? (
            <section className="card">
              <p role="status">{M.receipts.notYet}</p>
              <Go to={`/tasks/${id}`}>{M.receipts.toTask}</Go>
            </section>
          ) : (
            <>
              <InWords task={task} receipt={task.receipt} />
              <MerchantRecords taskId={id} />
              <Evidence taskId={id} receipt={task.receipt} />
            </>
          )
        }
      </Show>
    </Page>
  );
}

function InWords({ task, receipt }: { readonly task: TaskView; readonly receipt: JsonObject }) {
  const { outcome, reason, finished_at: finishedAt, commit_started_at: startedAt, account_seq: number } = receipt;
  const confirmation = confirmationOf(receipt);
  return (
    <section className="card" aria-labelledby="receipt">
      <h2 id="receipt">
        <Text text={task.operation_title} />
      </h2>
      <p className="standing">
        <OutcomeBadge outcome={String(outcome)} />
      </p>
      {exceeded(receipt) ? <Problem text={M.receipts.exceeded} /> : null}
      {differs(receipt) ? <Problem text={M.receipts.differs} /> : null}
      <dl className="facts">
        {typeof reason === "string" && isReason(reason) ? (
          <Fact label={M.receipts.why}>{REASONS[reason].title}</Fact>
        ) : null}
        {confirmation === undefined ? null : (
          <Fact label={M.receipts.confirmation}>
            <Text text={confirmation} />
          </Fact>
        )}
        {observedLines(receipt).map((line) => (
          <Fact key={line.name} label={line.name}>
            {"money" in line ? <Amount {...line.money} /> : <Text text={line.value} />}
          </Fact>
        ))}
        <Fact label={M.receipts.account}>
          <Text text={task.account} />
        </Fact>
        <Fact label={M.receipts.agent}>
          <Text text={task.agent} />
        </Fact>
        {routeOf(receipt) === undefined ? null : <Fact label={M.receipts.way}>{routeOf(receipt)}</Fact>}
        {typeof startedAt === "string" ? (
          <Fact label={M.receipts.started}>
            <When at={startedAt} />
          </Fact>
        ) : null}
        {typeof finishedAt === "string" ? (
          <Fact label={M.receipts.finished}>
            <When at={finishedAt} />
          </Fact>
        ) : null}
        {typeof number === "number" ? <Fact label={M.receipts.sequence}>{number}</Fact> : null}
      </dl>
      <p className="quiet">
        {M.receipts.own}. {M.receipts.ownExplain}
      </p>
      <Go to={`/tasks/${task.task_id}`}>{M.receipts.toTask}</Go>
    </section>
  );
}

function Evidence({ taskId, receipt }: { readonly taskId: string; readonly receipt: JsonObject }) {
  const session = useLoad<SessionView>("/session");
  const file = `${taskId}.bundle.json`;
  return (
    <section className="card" aria-labelledby="evidence">
      <h2 id="evidence">{M.receipts.verifyTitle}</h2>
      <p>{M.receipts.verifyExplain}</p>
      {session.value === undefined ? null : (
        <>
          <Suspense fallback={<Loading />}>
            <Verify taskId={taskId} receipt={receipt} pin={session.value.pin} issuer={session.value.issuer} />
          </Suspense>
          <p className="quiet">{M.receipts.verifyCaveat}</p>
          <div className="apart">
            <p>{M.receipts.bundleExplain}</p>
            <a className="button plain" href={`/trusted/v1/tasks/${taskId}/bundle`} download={file}>
              {M.receipts.bundle}
            </a>
            <details>
              <summary>{M.receipts.elsewhere}</summary>
              <p>{M.receipts.elsewhereText}</p>
              <code className="command">
                {M.receipts.elsewhereCommand(file, session.value.pin, session.value.issuer)}
              </code>
            </details>
          </div>
        </>
      )}
    </section>
  );
}

/** By which way and where, as the receipt says. */
function routeOf(receipt: JsonObject): string | undefined {
  const { route } = receipt;
  if (route === undefined || !isJsonObject(route)) return undefined;
  const { kind, origin } = route;
  const way = typeof kind === "string" ? (M.routes[kind] ?? kind) : "";
  return typeof origin === "string" ? `${way}, ${origin}` : way;
}

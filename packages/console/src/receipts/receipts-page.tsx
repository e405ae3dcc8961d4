import type { ReceiptSummary } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { OutcomeBadge } from "../parts/badge.tsx";
import { CardLink } from "../parts/card-link.tsx";
import { Amount } from "../parts/money.tsx";
import { Empty, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";

/** Every receipt, newest first: what came of each task, whatever it was. */
export function ReceiptsPage() {
  const loaded = useLoad<{ readonly receipts: readonly ReceiptSummary[] }>("/receipts");
  return (
    <Page title={M.receipts.title}>
      <Show loaded={loaded}>
        {({ receipts }) =>
          receipts.length === 0 ? (
            <Empty title={M.receipts.empty}>{M.receipts.emptyMore}</Empty>
          ) : (
            <ul className="cards">
              {receipts.map((receipt) => (
                <CardLink
                  key={receipt.task_id}
                  to={`/receipts/${receipt.task_id}`}
                  title={receipt.operation_title}
                  badge={<OutcomeBadge outcome={receipt.outcome} />}
                  mark={receipt.flagged ? "review" : undefined}
                >
                  {receipt.flagged ? <strong className="warning">{M.receipts.flagged}</strong> : null}
                  <span className="line">
                    <Text text={receipt.account} />
                    {receipt.total === undefined ? null : (
                      <Amount minor={receipt.total.total_minor} currency={receipt.total.currency} />
                    )}
                  </span>
                  <span className="line quiet">
                    <Ago at={receipt.finished_at} />
                    <span>
                      {M.receipts.number} {receipt.account_seq}
                    </span>
                  </span>
                </CardLink>
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  );
}

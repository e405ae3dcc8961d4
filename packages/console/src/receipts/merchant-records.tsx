import type { MerchantRecordView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Text } from "../parts/value.tsx";
import { Ago } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";

const WHOLE = new Intl.NumberFormat();

/** What the site itself gave out: labelled as its own word, with its hash, to take away as it came (REC-3). */
export function MerchantRecords({ taskId }: { readonly taskId: string }) {
  const loaded = useLoad<{ readonly records: readonly MerchantRecordView[] }>(`/tasks/${taskId}/records`);
  const records = loaded.value?.records ?? [];
  if (records.length === 0) return null;
  return (
    <section className="card foreign" aria-labelledby="merchant">
      <h2 id="merchant">{M.receipts.merchant}</h2>
      <p>{M.receipts.merchantExplain}</p>
      <ul className="rows">
        {records.map((record) => (
          <li key={record.record_id}>
            <span className="line">
              <strong>
                <Text text={record.kind} />
              </strong>
              <span className="kind">{M.receipts.merchantLabel}</span>
            </span>
            <span className="quiet">
              <Text text={record.media_type} />
              {`, ${M.receipts.merchantBytes(WHOLE.format(record.bytes))}, `}
              <Ago at={record.received_at} />
            </span>
            <span className="quiet">
              {record.signature_checked ? (
                <Text text={M.receipts.merchantSigned(record.by ?? "")} />
              ) : (
                M.receipts.merchantUnsigned
              )}
            </span>
            <span className="quiet">
              {M.receipts.merchantHash} <code>{record.sha256}</code>
            </span>
            <a
              className="button plain small"
              href={`/trusted/v1/tasks/${taskId}/records/${record.record_id}`}
              download={`${record.kind}.${record.record_id}.bin`}
            >
              {M.receipts.merchantDownload}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

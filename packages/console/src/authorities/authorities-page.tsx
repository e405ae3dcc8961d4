import type { AuthorityView, EnrolmentView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Fact } from "../parts/facts.tsx";
import { Empty, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { EnrolForm } from "./enrol-form.tsx";

/** The outside authorities that this person lets speak for them (APR-3): theirs to enrol and to remove. */
export function AuthoritiesPage() {
  const loaded = useLoad<{ readonly authorities: readonly AuthorityView[] }>("/authorities");
  return (
    <Page title={M.authorities.title}>
      <p className="intro">{M.authorities.explain}</p>
      <Show loaded={loaded}>
        {({ authorities }) =>
          authorities.length === 0 ? (
            <Empty title={M.authorities.empty}>{M.authorities.emptyMore}</Empty>
          ) : (
            authorities.map((authority) => (
              <Authority key={authority.authority} authority={authority} reload={loaded.reload} />
            ))
          )
        }
      </Show>
    </Page>
  );
}

function Authority(props: { readonly authority: AuthorityView; readonly reload: () => Promise<void> }) {
  const { authority, reload } = props;
  const [saved, setSaved] = useState(false);
  const { authority: id, title, enrolment, settling } = authority;
  return (
    <section className="card" aria-labelledby={`authority-${id}`}>
      <h2 id={`authority-${id}`}>
        <Text text={title} />
      </h2>
      {enrolment === undefined && settling === undefined ? (
        <p role="status">
          <Badge tone="done" text={M.authorities.none} />
        </p>
      ) : null}
      {enrolment === undefined ? null : <Enrolment authority={authority} enrolment={enrolment} />}
      {settling === undefined ? null : <Enrolment authority={authority} enrolment={settling} />}
      {settling === undefined ? null : (
        <p className="quiet">
          {M.authorities.wait} {enrolment === undefined ? null : M.authorities.waitEarlier}
        </p>
      )}
      {saved ? <p role="status">{M.authorities.saved}</p> : null}
      <EnrolForm
        authority={authority}
        onEnrolled={() => {
          setSaved(true);
          return reload();
        }}
      />
      {enrolment === undefined && settling === undefined ? null : (
        <div className="apart">
          <Confirm
            label={M.authorities.remove}
            title={M.authorities.removeTitle(title)}
            act={() => send(`/authorities/${id}/remove`)}
            onDone={() => {
              setSaved(false);
              return reload();
            }}
            onProblem={reload}
          >
            <p>{M.authorities.removeExplain}</p>
          </Confirm>
        </div>
      )}
    </section>
  );
}

function Enrolment(props: { readonly authority: AuthorityView; readonly enrolment: EnrolmentView }) {
  const { authority, enrolment } = props;
  const counts = authority.enrolment === enrolment;
  const title = (id: string) => authority.available_operations.find((o) => o.id === id)?.title ?? id;
  return (
    <>
      <p>
        <Badge tone={counts ? "good" : "wait"} text={counts ? M.authorities.enrolled : M.authorities.settling} />
      </p>
      <dl className="facts">
        <Fact label={M.authorities.label}>
          <Text text={enrolment.label} />
        </Fact>
        <Fact label={M.authorities.operations}>
          <Text text={enrolment.operations.map(title).join(", ")} />
        </Fact>
        <Fact label={M.authorities.since}>
          <When at={enrolment.enrolled_at} />
        </Fact>
        {counts ? null : (
          <Fact label={M.authorities.countsFrom}>
            <When at={enrolment.counts_from} />
          </Fact>
        )}
      </dl>
    </>
  );
}

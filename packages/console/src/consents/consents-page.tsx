import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { CardLink } from "../parts/card-link.tsx";
import { Empty, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { CONSENT_TONES } from "./tones.ts";

/** Every grant that was asked for, and what each was used for (CON-4); what is over comes last. */
export function ConsentsPage() {
  const loaded = useLoad<{ readonly consents: readonly ConsentView[] }>("/consents");
  return (
    <Page title={M.consents.title}>
      <Show loaded={loaded}>
        {({ consents }) => {
          if (consents.length === 0) return <Empty title={M.consents.empty}>{M.consents.emptyMore}</Empty>;
          const among = (...states: readonly ConsentView["state"][]) =>
            consents.filter((c) => states.includes(c.state));
          return (
            <>
              <Group title={M.consents.waiting} consents={among("requested")} />
              <Group title={M.consents.live} consents={among("granted")} />
              <Group title={M.consents.past} consents={among("expired", "revoked", "refused")} />
            </>
          );
        }}
      </Show>
    </Page>
  );
}

function Group({ title, consents }: { readonly title: string; readonly consents: readonly ConsentView[] }) {
  if (consents.length === 0) return null;
  return (
    <section>
      <h2 className="group-title">{title}</h2>
      <ul className="cards">
        {consents.map((consent) => (
          <CardLink
            key={consent.consent_ref}
            to={`/consents/${consent.consent_ref}`}
            title={nameOf(consent)}
            badge={<Badge tone={CONSENT_TONES[consent.state]} text={M.consents.states[consent.state]} />}
          >
            {consent.account === undefined ? null : (
              <span>
                <Text text={consent.account.name} />
              </span>
            )}
            {consent.state === "requested" ? null : (
              <span className="quiet">{M.consents.used(consent.used.tasks, consent.used.submitted)}</span>
            )}
            <span className="quiet">
              {M.consents.asked} <Ago at={consent.requested_at} />
            </span>
          </CardLink>
        ))}
      </ul>
    </section>
  );
}

function nameOf({ agent, destination_title: place, state }: ConsentView): string {
  return state === "requested" ? M.consents.asks(agent, place) : M.consents.may(agent, place);
}

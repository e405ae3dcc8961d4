import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { CONSENT_TONES } from "./tones.ts";

/** Every grant that was asked for, and what each was used for (CON-4). */
export function ConsentsPage() {
  const loaded = useLoad<{ readonly consents: readonly ConsentView[] }>("/consents");
  return (
    <Page title={M.consents.title}>
      <Show loaded={loaded}>
        {({ consents }) =>
          consents.length === 0 ? (
            <section className="card empty">
              <p role="status">{M.consents.empty}</p>
              <p className="quiet">{M.consents.emptyMore}</p>
            </section>
          ) : (
            <ul className="cards">
              {consents.map((consent) => (
                <li key={consent.consent_ref} className="card">
                  <Go to={`/consents/${consent.consent_ref}`}>
                    <strong>
                      <Text text={M.consents.asks(consent.agent, consent.destination_title)} />
                    </strong>
                    <Badge tone={CONSENT_TONES[consent.state]} text={M.consents.states[consent.state]} />
                    {consent.used.tasks === 0 ? null : (
                      <span className="quiet">{M.consents.used(consent.used.tasks, consent.used.submitted)}</span>
                    )}
                    <span className="quiet">
                      <When at={consent.requested_at} />
                    </span>
                  </Go>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  );
}

import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";

export function ConsentsPage() {
  const loaded = useLoad<{ readonly consents: readonly ConsentView[] }>("/consents");
  return (
    <Page title={M.consents.title}>
      <Show loaded={loaded}>
        {({ consents }) =>
          consents.length === 0 ? (
            <p role="status">{M.consents.empty}</p>
          ) : (
            <ul className="cards">
              {consents.map((consent) => (
                <li key={consent.consent_ref} className="card">
                  <Go to={`/consents/${consent.consent_ref}`}>
                    <strong>
                      <Text text={M.consents.asks(consent.agent, consent.destination_title)} />
                    </strong>
                    <span>{M.consents.states[consent.state]}</span>
                    <span className="quiet">{M.consents.used(consent.used.tasks, consent.used.submitted)}</span>
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

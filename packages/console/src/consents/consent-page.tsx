import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { Decide } from "./decide.tsx";
import { Settled } from "./settled.tsx";
import { CONSENT_TONES } from "./tones.ts";
import { Usage } from "./usage.tsx";

const BACK = { to: "/consents", label: M.consents.title };

/** One grant: what is asked, by whom, for what; later what it covers and how to take it back. */
export function ConsentPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ConsentView>(`/consents/${id}`);
  return (
    <Page title={M.consents.one} back={BACK}>
      <Show loaded={loaded}>
        {(consent) => (
          <>
            <section className="card">
              <h2>
                <Text
                  text={
                    consent.state === "requested"
                      ? M.consents.asks(consent.agent, consent.destination_title)
                      : M.consents.may(consent.agent, consent.destination_title)
                  }
                />
              </h2>
              <p role="status">
                <Badge tone={CONSENT_TONES[consent.state]} text={M.consents.states[consent.state]} />
              </p>
              {consent.purpose === "" ? null : (
                <div className="agent-words">
                  <span className="kind">{M.consents.purpose}</span>
                  <p>
                    <Text text={consent.purpose} />
                  </p>
                </div>
              )}
              <p className="quiet">
                {M.consents.asked} <When at={consent.requested_at} />
              </p>
            </section>
            {consent.state === "requested" ? (
              <Decide consent={consent} reload={loaded.reload} />
            ) : (
              <>
                <Settled consent={consent} reload={loaded.reload} />
                {consent.granted === undefined ? null : (
                  <Usage usage={consent.usage} live={consent.state === "granted"} />
                )}
              </>
            )}
          </>
        )}
      </Show>
    </Page>
  );
}

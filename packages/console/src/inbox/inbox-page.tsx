import type { InboxView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Countdown, When } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";

/** Everything that waits for this person. */
export function InboxPage() {
  const loaded = useLoad<InboxView>("/inbox");
  return (
    <Page title={M.inbox.title}>
      <Show loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <section className="card empty">
              <p role="status">{M.inbox.empty}</p>
              <p className="quiet">{M.inbox.emptyMore}</p>
            </section>
          ) : (
            <ul className="cards" aria-label={M.inbox.title}>
              {items.map((item) => (
                <li key={`${item.kind} ${item.href}`} className={`card ${item.kind}`}>
                  <Go to={item.href}>
                    <span className="kind">{M.inbox.kinds[item.kind]}</span>
                    <strong>
                      <Text text={item.title} />
                    </strong>
                    {item.agent === undefined || item.agent === item.title ? null : <Text text={item.agent} />}
                    {item.account === undefined || item.account === "" ? null : <Text text={item.account} />}
                    <span className="quiet">
                      <When at={item.created_at} />
                      {item.expires_at === undefined ? null : (
                        <>
                          {" · "}
                          {M.inbox.left} <Countdown to={item.expires_at} />
                        </>
                      )}
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

import type { InboxItem, InboxView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Empty, Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago, Countdown } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";

const ICONS: Readonly<Record<InboxItem["kind"], IconName>> = {
  approval: "good",
  verification: "good",
  sign_in: "account",
  review: "warn",
  consent: "grant",
  agent: "agent",
  security: "passkey",
  unreached: "away",
};

/** Everything that waits for this person, in the order in which it runs out. */
export function InboxPage() {
  const loaded = useLoad<InboxView>("/inbox");
  return (
    <Page title={M.inbox.title}>
      <Show loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={M.inbox.empty}>{M.inbox.emptyMore}</Empty>
          ) : (
            <ul className="cards" aria-label={M.inbox.title}>
              {items.map((item) => (
                <li key={`${item.kind} ${item.href}`} className={`card ${item.kind}`}>
                  <Go to={item.href} className="with-icon">
                    <Icon name={ICONS[item.kind]} />
                    <span className="lines">
                      <span className="kind">{M.inbox.kinds[item.kind]}</span>
                      <strong>
                        <Text text={item.title} />
                      </strong>
                      <span>
                        <Text text={whose(item)} />
                      </span>
                      <span className="quiet">
                        {item.expires_at === undefined ? (
                          <>
                            {M.inbox.since} <Ago at={item.created_at} />
                          </>
                        ) : (
                          <>
                            {M.inbox.left} <Countdown to={item.expires_at} />
                          </>
                        )}
                      </span>
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

/** Which agent, and for whose account at the site. */
function whose({ agent = "", account = "", title }: InboxItem): string {
  return M.inbox.from(agent === title ? "" : agent, account).replace(/^, /, "");
}

import type { PasskeysView, SignInEventView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { canUsePasskeys } from "./ask.ts";
import { NewPasskey } from "./new-passkey.tsx";
import { PasskeyCard } from "./passkey-card.tsx";
import { Sessions } from "./sessions.tsx";

/** How this person signs in: their passkeys, the browsers that are signed in, and what happened with both. */
export function PasskeysPage() {
  const loaded = useLoad<PasskeysView>("/passkeys");
  return (
    <Page title={M.passkeys.title}>
      <Show loaded={loaded}>
        {(view) => (
          <>
            <News events={view.events} reload={loaded.reload} />
            <Passkeys view={view} reload={loaded.reload} />
            <Sessions sessions={view.sessions} reload={loaded.reload} />
            <Past events={view.events} />
          </>
        )}
      </Show>
    </Page>
  );
}

function Passkeys({ view, reload }: { readonly view: PasskeysView; readonly reload: () => Promise<void> }) {
  const [adding, setAdding] = useState(false);
  const someCount = view.passkeys.some((one) => one.standing === "counts");
  return (
    <section className="people" aria-labelledby="passkeys">
      <h2 id="passkeys">{M.passkeys.list}</h2>
      {view.passkeys.length === 0 ? (
        <p className="notice">{M.passkeys.none}</p>
      ) : (
        <ul className="cards whole" aria-labelledby="passkeys">
          {view.passkeys.map((passkey) => (
            <PasskeyCard
              key={passkey.credential_id}
              passkey={passkey}
              isLast={view.passkeys.length === 1}
              canConfirm={passkey.standing === "settling" && someCount && canUsePasskeys()}
              reload={reload}
            />
          ))}
        </ul>
      )}
      {adding ? (
        <section className="card">
          <h3>{M.passkeys.add}</h3>
          <p>{view.new_passkey === "counts_at_once" ? M.passkeys.addAtOnce : M.passkeys.addSettles}</p>
          <NewPasskey
            suggested={view.suggested_label}
            onDone={async () => {
              await reload();
              setAdding(false);
            }}
          />
        </section>
      ) : canUsePasskeys() ? (
        <Button className="button plain" onPress={() => setAdding(true)}>
          {M.passkeys.add}
        </Button>
      ) : (
        <p className="quiet">{M.passkeys.trouble.unsupported}</p>
      )}
    </section>
  );
}

/** What the person must have seen; it leaves the inbox when they say so. */
function News({
  events,
  reload,
}: {
  readonly events: readonly SignInEventView[];
  readonly reload: () => Promise<void>;
}) {
  const fresh = events.filter((event) => event.is_new);
  if (fresh.length === 0) return null;
  return (
    <section className="notice" aria-labelledby="sign-in-news">
      <h2 id="sign-in-news">{M.passkeys.news}</h2>
      <ul className="events">
        {fresh.map((event) => (
          <Event key={event.event_id} event={event} />
        ))}
      </ul>
      <p>{M.passkeys.notYou}</p>
      <Act
        label={M.passkeys.seen}
        act={() => send("/sign-in-events/seen", { event_ids: fresh.map((event) => event.event_id) })}
        onDone={reload}
        onProblem={reload}
      />
    </section>
  );
}

function Past({ events }: { readonly events: readonly SignInEventView[] }) {
  const past = events.filter((event) => !event.is_new);
  if (past.length === 0) return null;
  return (
    <section className="people" aria-labelledby="sign-in-past">
      <h2 id="sign-in-past">{M.passkeys.past}</h2>
      <ul className="events">
        {past.map((event) => (
          <Event key={event.event_id} event={event} />
        ))}
      </ul>
    </section>
  );
}

function Event({ event }: { readonly event: SignInEventView }) {
  return (
    <li>
      {M.passkeys.events[event.kind]} <Text text={event.label} />
      {", "}
      <span className="quiet">
        <When at={event.at} />
      </span>
    </li>
  );
}

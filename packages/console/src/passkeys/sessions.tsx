import type { SignedInView } from "@countersign/gateway/trusted-contract";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Badge } from "../parts/badge.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Text } from "../parts/value.tsx";
import { Ago, When } from "../parts/when.tsx";
import { send } from "../server/api.ts";

/** The browsers that are signed in, each with its way out, and one for all of them. */
export function Sessions(props: { readonly sessions: readonly SignedInView[]; readonly reload: () => Promise<void> }) {
  const { sessions, reload } = props;
  return (
    <section className="people" aria-labelledby="sessions">
      <h2 id="sessions">{M.passkeys.sessions}</h2>
      <ul className="cards whole" aria-labelledby="sessions">
        {sessions.map((one) => (
          <li key={one.session_ref} className="card">
            <span className="line">
              <strong>
                <Text text={one.device === "" ? M.passkeys.unknownDevice : one.device} />
              </strong>
              {one.this_one ? <Badge tone="good" text={M.passkeys.thisOne} /> : null}
            </span>
            <p className="quiet">
              {M.passkeys.began[one.began]} <When at={one.began_at} />
              {" · "}
              {M.passkeys.lastSeen} <Ago at={one.last_seen_at} />
            </p>
            {one.this_one ? null : (
              <Act
                label={M.passkeys.endOne}
                act={() => send("/sessions/end", { session_ref: one.session_ref })}
                onDone={reload}
                onProblem={reload}
              />
            )}
          </li>
        ))}
      </ul>
      <Confirm
        label={M.passkeys.endAll}
        title={M.passkeys.endAllTitle}
        act={() => send("/sessions/end-all")}
        onDone={() => go("/")}
      >
        <p>{M.passkeys.endAllExplain}</p>
      </Confirm>
    </section>
  );
}

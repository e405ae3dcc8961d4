import type { AuthorizationView } from "@countersign/gateway/trusted-contract";
import { useEffect } from "react";
import { M } from "../messages.ts";
import { Named } from "./asker.tsx";

const WAY = /^\/oauth\/authorize\/[A-Za-z0-9_-]+$/;

/**
 * The answer is made; now the browser takes it to the client. It goes by itself, as by a link and never as a form: the
 * strict policy for forms would drop the redirect that follows (U37). The link is there for a browser that stays.
 */
export function Onward(props: {
  readonly client: AuthorizationView["client"];
  readonly path: string;
  /** Just now answered here; an answer that was found again waits for a press. */
  readonly goes: boolean;
}) {
  const { path, goes } = props;
  const sound = WAY.test(path);
  useEffect(() => {
    if (goes && sound) location.assign(path);
  }, [goes, sound, path]);
  return (
    <section className="card">
      <div role="status">
        <h2>
          {M.authorize.back} <Named client={props.client} />
        </h2>
      </div>
      <p>{M.authorize.backText}</p>
      {sound ? (
        <p>
          <a className="button primary" href={path}>
            {M.authorize.backAction}
          </a>
        </p>
      ) : null}
    </section>
  );
}

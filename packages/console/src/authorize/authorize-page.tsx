import type { AuthorizationView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Page, Show } from "../parts/page.tsx";
import { useLoad } from "../server/use-load.ts";
import { Answer } from "./answer.tsx";
import { Asker } from "./asker.tsx";
import { Onward } from "./onward.tsx";

const PROBLEM = /^problem\.([a-z_]+)$/;

/** A client asks to act for the person: who it is, what they give it, and the way back to it. */
export function AuthorizePage({ id }: { readonly id: string }) {
  const problem = PROBLEM.exec(id)?.[1];
  return problem === undefined ? <Asked id={id} /> : <Broken code={problem} />;
}

function Asked({ id }: { readonly id: string }) {
  const loaded = useLoad<AuthorizationView>(`/authorizations/${id}`);
  const [onward, setOnward] = useState<string>();
  return (
    <Page title={M.authorize.title}>
      <Show loaded={loaded}>
        {(view) => {
          const path = onward ?? view.onward;
          if (path === undefined && view.state !== "asked") return <ToDevice state={view.state} />;
          if (path !== undefined) return <Onward client={view.client} path={path} goes={onward !== undefined} />;
          return (
            <>
              <Asker view={view} />
              <Answer view={view} onDone={setOnward} reload={loaded.reload} />
            </>
          );
        }}
      </Show>
    </Page>
  );
}

/** A device fetches its answer itself: there is nowhere to go. */
function ToDevice({ state }: { readonly state: "allowed" | "refused" }) {
  return (
    <section className="card">
      <p role="status">{state === "allowed" ? M.authorize.device.allowed : M.authorize.device.refused}</p>
    </section>
  );
}

/** What the authorization server has to say to a person where nothing can go back to the client. */
function Broken({ code }: { readonly code: string }) {
  return (
    <Page title={M.authorize.brokenTitle}>
      <section className="card">
        <p role="alert">{M.authorize.broken[code] ?? M.authorize.brokenOther}</p>
        <p className="quiet">
          {M.authorize.brokenCode} <code>{code}</code>
        </p>
      </section>
    </Page>
  );
}

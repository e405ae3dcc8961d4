import { AccountsPage } from "../accounts/accounts-page.tsx";
import { AgentPage, AgentsPage } from "../agents/agents-page.tsx";
import { ApprovalPage } from "../approval/approval-page.tsx";
import { ConsentPage } from "../consents/consent-page.tsx";
import { ConsentsPage } from "../consents/consents-page.tsx";
import { HandoffPage } from "../handoff/handoff-page.tsx";
import { InboxPage } from "../inbox/inbox-page.tsx";
import { LinkPage } from "../link/link-page.tsx";
import { M } from "../messages.ts";
import { Go, Page } from "../parts/page.tsx";
import { send } from "../server/api.ts";
import { TaskPage } from "../tasks/task-page.tsx";
import { TasksPage } from "../tasks/tasks-page.tsx";
import { Guard } from "./guard.tsx";
import { go, type Place, placeOf, usePath } from "./router.ts";

const NAV = [
  ["/", M.nav.inbox],
  ["/tasks", M.nav.tasks],
  ["/consents", M.nav.consents],
  ["/accounts", M.nav.accounts],
  ["/agents", M.nav.agents],
] as const;

export function App() {
  const path = usePath();
  const place = placeOf(path);
  return (
    <>
      <a className="skip" href="#main">
        {M.skip}
      </a>
      <header>
        <span className="brand">{M.brand}</span>
        {place.page === "link" ? null : (
          <>
            <nav aria-label={M.nav.main}>
              {NAV.map(([to, label]) => (
                <Go key={to} to={to} current={isUnder(path, to)}>
                  {label}
                </Go>
              ))}
            </nav>
            <button type="button" className="bare" onClick={() => void send("/session/end").then(() => go("/"))}>
              {M.signOut}
            </button>
          </>
        )}
      </header>
      <Guard key={path}>
        <PageOf place={place} />
      </Guard>
    </>
  );
}

function isUnder(path: string, to: string): "page" | "section" | undefined {
  if (path === to) return "page";
  return to !== "/" && path.startsWith(`${to}/`) ? "section" : undefined;
}

function PageOf({ place }: { readonly place: Place }) {
  switch (place.page) {
    case "inbox":
      return <InboxPage />;
    case "link":
      return <LinkPage />;
    case "agents":
      return <AgentsPage />;
    case "agent":
      return <AgentPage id={place.id} />;
    case "consents":
      return <ConsentsPage />;
    case "consent":
      return <ConsentPage id={place.id} />;
    case "accounts":
      return <AccountsPage />;
    case "continuation":
      return <HandoffPage id={place.id} />;
    case "approval":
      return <ApprovalPage id={place.id} />;
    case "tasks":
      return <TasksPage />;
    case "task":
      return <TaskPage id={place.id} />;
    case "unknown":
      return (
        <Page title={M.notFound}>
          <p>{M.gone}</p>
        </Page>
      );
  }
}

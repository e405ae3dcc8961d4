import { send } from "./api.ts";
import { ApprovalPage } from "./approval/approval-page.tsx";
import { HandoffPage } from "./handoff/handoff-page.tsx";
import { M } from "./messages.ts";
import { AccountsPage } from "./pages/accounts.tsx";
import { AgentPage, AgentsPage } from "./pages/agents.tsx";
import { ConsentPage } from "./pages/consent.tsx";
import { ConsentsPage } from "./pages/consents.tsx";
import { InboxPage } from "./pages/inbox.tsx";
import { LinkPage } from "./pages/link.tsx";
import { TaskPage, TasksPage } from "./pages/tasks.tsx";
import { Go, Page } from "./parts/page.tsx";
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
      <header>
        <span className="brand">{M.brand}</span>
        {place.page === "link" ? null : (
          <nav aria-label={M.nav.main}>
            {NAV.map(([to, label]) => (
              <Go key={to} to={to} className={path === to ? "here" : ""}>
                {label}
              </Go>
            ))}
            <button type="button" className="quiet" onClick={() => void send("/session/end").then(() => go("/"))}>
              {M.signOut}
            </button>
          </nav>
        )}
      </header>
      <PageOf key={path} place={place} />
    </>
  );
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
        <Page title={M.brand}>
          <p>{M.gone}</p>
        </Page>
      );
  }
}

import { type ComponentType, lazy } from "react";
import { InboxPage } from "../inbox/inbox-page.tsx";
import { M } from "../messages.ts";
import { Page } from "../parts/page.tsx";
import { MorePage } from "./more-page.tsx";
import type { Place } from "./router.ts";

/** A page that comes with its own file: the first screen does not wait for what it does not show. */
function later<P extends object>(page: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await page() }));
}

const LinkPage = later(async () => (await import("../link/link-page.tsx")).LinkPage);
const OutsidePage = later(async () => (await import("../sign-in/outside-page.tsx")).OutsidePage);
const PasskeysPage = later(async () => (await import("../passkeys/passkeys-page.tsx")).PasskeysPage);
const AgentsPage = later(async () => (await import("../agents/agents-page.tsx")).AgentsPage);
const AgentPage = later(async () => (await import("../agents/agent-page.tsx")).AgentPage);
const ConsentsPage = later(async () => (await import("../consents/consents-page.tsx")).ConsentsPage);
const ConsentPage = later(async () => (await import("../consents/consent-page.tsx")).ConsentPage);
const AccountsPage = later(async () => (await import("../accounts/accounts-page.tsx")).AccountsPage);
const HandoffPage = later(async () => (await import("../handoff/handoff-page.tsx")).HandoffPage);
const ReturnedPage = later(async () => (await import("../handoff/returned-page.tsx")).ReturnedPage);
const ApprovalPage = later(async () => (await import("../approval/approval-page.tsx")).ApprovalPage);
const AuthorizePage = later(async () => (await import("../authorize/authorize-page.tsx")).AuthorizePage);
const DevicePage = later(async () => (await import("../authorize/device-page.tsx")).DevicePage);
const TasksPage = later(async () => (await import("../tasks/tasks-page.tsx")).TasksPage);
const TaskPage = later(async () => (await import("../tasks/task-page.tsx")).TaskPage);
const ReceiptsPage = later(async () => (await import("../receipts/receipts-page.tsx")).ReceiptsPage);
const ReceiptPage = later(async () => (await import("../receipts/receipt-page.tsx")).ReceiptPage);
const AuthoritiesPage = later(async () => (await import("../authorities/authorities-page.tsx")).AuthoritiesPage);
const ContactPage = later(async () => (await import("../contact/contact-page.tsx")).ContactPage);
const ProtocolsPage = later(async () => (await import("../protocols/protocols-page.tsx")).ProtocolsPage);
const PracticePage = later(async () => (await import("../switchboard/practice-page.tsx")).PracticePage);

export function PageOf({ place }: { readonly place: Place }) {
  switch (place.page) {
    case "inbox":
      return <InboxPage />;
    case "more":
      return <MorePage />;
    case "link":
      return <LinkPage />;
    case "outside":
      return <OutsidePage />;
    case "passkeys":
      return <PasskeysPage />;
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
    case "returned":
      return <ReturnedPage />;
    case "approval":
      return <ApprovalPage id={place.id} />;
    case "authorize":
      return <AuthorizePage id={place.id} />;
    case "device":
      return <DevicePage />;
    case "tasks":
      return <TasksPage />;
    case "task":
      return <TaskPage id={place.id} />;
    case "receipts":
      return <ReceiptsPage />;
    case "receipt":
      return <ReceiptPage id={place.id} />;
    case "authorities":
      return <AuthoritiesPage />;
    case "contact":
      return <ContactPage />;
    case "protocols":
      return <ProtocolsPage />;
    case "practice":
      return <PracticePage />;
    case "unknown":
      return (
        <Page title={M.notFound}>
          <p>{M.gone}</p>
        </Page>
      );
  }
}

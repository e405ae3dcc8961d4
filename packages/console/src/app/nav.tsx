import type { InboxView, SessionView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Go } from "../parts/page.tsx";
import { send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { go } from "./router.ts";

interface Entry {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
}

/** On a phone these stand in the bar at the bottom, and the others behind "More". */
const MAIN: readonly Entry[] = [
  { to: "/", label: M.nav.inbox, icon: "inbox" },
  { to: "/tasks", label: M.nav.tasks, icon: "activity" },
  { to: "/consents", label: M.nav.consents, icon: "grant" },
  { to: "/accounts", label: M.nav.accounts, icon: "account" },
];
const OTHERS: readonly Entry[] = [
  { to: "/receipts", label: M.nav.receipts, icon: "receipt" },
  { to: "/agents", label: M.nav.agents, icon: "agent" },
  { to: "/authorities", label: M.nav.authorities, icon: "authority" },
  { to: "/passkeys", label: M.nav.passkeys, icon: "passkey" },
  { to: "/contact", label: M.nav.contact, icon: "mail" },
  { to: "/protocols", label: M.nav.protocols, icon: "protocol" },
];
const PRACTICE: Entry = { to: "/practice", label: M.nav.practice, icon: "practice" };
const MORE: Entry = { to: "/more", label: M.nav.more, icon: "more" };

/** What stands behind "More"; the practice site only where there is one. */
export function useOthers(): readonly Entry[] {
  const session = useLoad<SessionView>("/session");
  return session.value?.practice ? [...OTHERS, PRACTICE] : OTHERS;
}

export function Nav({ path }: { readonly path: string }) {
  const inbox = useLoad<InboxView>("/inbox");
  const others = useOthers();
  const waiting = inbox.value?.items.length ?? 0;
  const behind = others.some((entry) => isUnder(path, entry.to) !== undefined);
  return (
    <nav aria-label={M.nav.main}>
      <ul>
        {MAIN.map((entry) => (
          <Item key={entry.to} entry={entry} current={isUnder(path, entry.to)}>
            {entry.to === "/" && waiting > 0 ? <Waiting count={waiting} /> : null}
          </Item>
        ))}
        {others.map((entry) => (
          <Item key={entry.to} entry={entry} current={isUnder(path, entry.to)} className="wide" />
        ))}
        <Item entry={MORE} current={isUnder(path, MORE.to) ?? (behind ? "section" : undefined)} className="narrow" />
      </ul>
    </nav>
  );
}

function Item(props: {
  readonly entry: Entry;
  readonly current: "page" | "section" | undefined;
  readonly className?: string;
  readonly children?: React.ReactNode;
}) {
  const { entry } = props;
  return (
    <li className={props.className}>
      <Go to={entry.to} current={props.current}>
        <Icon name={entry.icon} />
        <span>{entry.label}</span>
        {props.children}
      </Go>
    </li>
  );
}

function Waiting({ count }: { readonly count: number }) {
  return (
    <span className="count">
      <span aria-hidden="true">{count}</span>
      <span className="unseen">{M.nav.waiting(count)}</span>
    </span>
  );
}

export function SignOut() {
  return (
    <button type="button" className="bare sign-out" onClick={() => void send("/session/end").then(() => go("/"))}>
      <Icon name="out" />
      {M.signOut}
    </button>
  );
}

function isUnder(path: string, to: string): "page" | "section" | undefined {
  if (path === to) return "page";
  return to !== "/" && path.startsWith(`${to}/`) ? "section" : undefined;
}

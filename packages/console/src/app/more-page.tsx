import { M } from "../messages.ts";
import { Icon } from "../parts/icons.tsx";
import { Go, Page } from "../parts/page.tsx";
import { useOthers } from "./nav.tsx";

/** On a phone: the pages that have no place in the bar. */
export function MorePage() {
  const others = useOthers();
  return (
    <Page title={M.nav.more}>
      <ul className="cards menu">
        {others.map((entry) => (
          <li key={entry.to} className="card">
            <Go to={entry.to}>
              <Icon name={entry.icon} />
              <span>{entry.label}</span>
            </Go>
          </li>
        ))}
      </ul>
    </Page>
  );
}

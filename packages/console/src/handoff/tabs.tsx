import type { ViewInput, ViewTab } from "@countersign/plugin";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { shownText, Text } from "../parts/value.tsx";

/** The pages that the site has opened, when there are several. Their titles are the site's words. */
export function Tabs(props: {
  readonly tabs: readonly ViewTab[];
  readonly say: (...inputs: readonly ViewInput[]) => void;
}) {
  const { tabs, say } = props;
  if (tabs.length < 2) return null;
  return (
    <ul className="tabs" aria-label={M.handoff.tabs}>
      {tabs.map(({ id, title, origin, shown }) => (
        <li key={id} className={shown ? "tab shown" : "tab"}>
          <Button
            className="bare"
            {...(shown ? { "aria-current": "page" as const } : {})}
            onPress={() => say({ type: "tab", id, action: "show" })}
          >
            <Text text={title === "" ? nameOf(origin) : title} />
          </Button>
          <Button
            className="bare close"
            aria-label={shownText(M.handoff.closeTab(title === "" ? nameOf(origin) : title))}
            onPress={() => say({ type: "tab", id, action: "close" })}
          >
            ×
          </Button>
        </li>
      ))}
    </ul>
  );
}

function nameOf(origin: string): string {
  return origin === "null" ? M.handoff.untitled : origin;
}

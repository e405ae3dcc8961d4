import type { ConsentScope, ConsentView } from "@countersign/gateway/trusted-contract";
import { err } from "@countersign/wire";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/page.tsx";
import { problemText, send } from "../server/api.ts";
import { type GrantDraft, openDraft, scopeOf } from "./draft.ts";
import { missingText } from "./missing.ts";
import { ScopeFields } from "./scope-fields.tsx";

/** Takes back a part of a live grant (CON-4). The draft opens with what is granted, and can only lose. */
export function Narrow(props: {
  readonly consent: ConsentView;
  readonly granted: ConsentScope;
  readonly onNarrowed: () => Promise<void>;
  readonly reload: () => Promise<void>;
}) {
  const { consent, granted, onNarrowed, reload } = props;
  const [draft, setDraft] = useState<GrantDraft>(() => openDraft(granted, undefined));
  const [problem, setProblem] = useState<string>();
  const { scope, problems } = scopeOf(granted, draft, Date.now());
  return (
    <details>
      <summary>{M.grants.narrow}</summary>
      <p>{M.grants.narrowExplain}</p>
      <ScopeFields
        consent={consent}
        asked={granted}
        draft={draft}
        problems={problems}
        onChange={(more) => setDraft((was) => ({ ...was, ...more }))}
      />
      {problem === undefined ? null : <Problem text={problem} />}
      <Act
        label={M.grants.narrowAction}
        isDisabled={scope === undefined}
        act={async () =>
          scope === undefined ? err("invalid_request" as const) : send(`/consents/${consent.consent_ref}/narrow`, scope)
        }
        onDone={onNarrowed}
        onProblem={(reason) => {
          setProblem(problemText(reason));
          return reload();
        }}
      />
      {problems[0] === undefined ? null : <p className="quiet">{missingText(problems[0])}</p>}
    </details>
  );
}

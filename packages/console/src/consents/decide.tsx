import type { AccountView, ConsentView } from "@countersign/gateway/trusted-contract";
import { type Err, err } from "@countersign/wire";
import { useState } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { connectAccount } from "../accounts/connect.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/page.tsx";
import { Host, Text } from "../parts/value.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { type GrantDraft, grantOf, openDraft } from "./draft.ts";
import { missingText } from "./missing.ts";
import { mayAct, ScopeFields } from "./scope-fields.tsx";
import { canServe, waysAsked } from "./ways.ts";

const INCOMPLETE: Err<CallProblem> = err("invalid_request");

/** Narrow, then grant; or refuse. The draft lives in this page alone. */
export function Decide({ consent, reload }: { readonly consent: ConsentView; readonly reload: () => Promise<void> }) {
  const accounts = useLoad<{ readonly accounts: readonly AccountView[] }>("/accounts");
  const [draft, setDraft] = useState<GrantDraft>(() => openDraft(consent.asked, consent.account?.account_ref));
  const [problem, setProblem] = useState<string>();
  const change = (more: Partial<GrantDraft>) => setDraft((was) => ({ ...was, ...more }));
  const ways = waysAsked(consent);
  const usable = (accounts.value?.accounts ?? []).filter(
    (a) =>
      a.destination === consent.destination &&
      canServe(a, ways) &&
      (consent.account === undefined || a.account_ref === consent.account.account_ref),
  );
  const accountRef = draft.accountRef ?? (usable.length === 1 ? usable[0]?.account_ref : undefined);
  const { decision, problems } = grantOf(consent.asked, { ...draft, accountRef }, Date.now());
  const failed = (reason: CallProblem) => {
    setProblem(problemText(reason));
    return reload();
  };
  return (
    <section className="card" aria-label={M.consents.decideLabel}>
      {usable.length === 0 ? (
        <p className="quiet">
          <Text
            text={accounts.value === undefined ? M.loading : M.consents.pickAccountFirst(consent.destination_title)}
          />
        </p>
      ) : (
        <RadioGroup
          className="group"
          value={accountRef ?? null}
          onChange={(picked) => change({ accountRef: picked })}
          isDisabled={consent.account !== undefined}
        >
          <Label>{M.consents.pick}</Label>
          {usable.map((a) => (
            <Radio key={a.account_ref} value={a.account_ref} className="choice">
              <span>
                <Text text={a.name} />{" "}
                <span className="quiet">
                  <Host origin={a.origin} />
                </span>
              </span>
            </Radio>
          ))}
        </RadioGroup>
      )}
      <div className="actions">
        {ways.map((route) => (
          <Act
            key={route}
            label={`${M.consents.connect} ${M.routes[route] ?? route}`}
            kind={usable.length === 0 ? "primary" : "plain"}
            act={() =>
              connectAccount({
                destination: consent.destination,
                route,
                accountRef: consent.account?.account_ref,
              })
            }
            onProblem={failed}
          />
        ))}
      </div>
      <ScopeFields consent={consent} asked={consent.asked} draft={draft} problems={problems} onChange={change} />
      {mayAct(consent, consent.asked.operations) ? <p>{M.consents.reminder}</p> : null}
      {problem === undefined ? null : <Problem text={problem} />}
      <div className="actions">
        <Act
          label={M.consents.grant}
          kind="primary"
          isDisabled={decision === undefined}
          act={async () =>
            decision === undefined ? INCOMPLETE : send(`/consents/${consent.consent_ref}/decision`, decision)
          }
          onDone={reload}
          onProblem={failed}
        />
        <Act
          label={M.consents.refuse}
          act={() => send(`/consents/${consent.consent_ref}/decision`, { decision: "refuse" })}
          onDone={reload}
          onProblem={failed}
        />
      </div>
      {problems[0] === undefined ? null : <p className="quiet">{missingText(problems[0])}</p>}
    </section>
  );
}

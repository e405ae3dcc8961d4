import type {
  AccountView,
  AuthorizationDecision,
  AuthorizationDestination,
  AuthorizationView,
} from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { type GrantDraft, grantOf } from "../consents/draft.ts";
import { missingText } from "../consents/missing.ts";
import { mayAct, ScopeFields } from "../consents/scope-fields.tsx";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { AccountPick, usableAt } from "./account-pick.tsx";
import { openAnswer } from "./open-answer.ts";

const NOTHING = "nothing";

interface AnswerProps {
  readonly view: AuthorizationView;
  readonly onDone: (onward: string | undefined) => void;
  readonly reload: () => Promise<void>;
}

/** What the person gives the client: what it named, narrowed; or what they pick; or nothing yet; or a no. */
export function Answer({ view, onDone, reload }: AnswerProps) {
  const accounts = useLoad<{ readonly accounts: readonly AccountView[] }>("/accounts");
  const known = accounts.value?.accounts ?? [];
  const [only] = view.destinations.length === 1 ? view.destinations : [];
  const [picked, setPicked] = useState<string | undefined>(only?.id);
  const [drafts, setDrafts] = useState<Readonly<Record<string, GrantDraft>>>({});
  const [problem, setProblem] = useState<string>();
  const destination = view.destinations.find((d) => d.id === picked);
  const draft = destination === undefined ? undefined : (drafts[destination.id] ?? openAnswer(view, destination));
  const change = (more: Partial<GrantDraft>) =>
    destination !== undefined &&
    draft !== undefined &&
    setDrafts((was) => ({ ...was, [destination.id]: { ...draft, ...more } }));
  const failed = (reason: CallProblem) => {
    setProblem(problemText(reason));
    return reload();
  };
  const answer = (decision: AuthorizationDecision) => ({
    act: async () => {
      const sent = await send<{ readonly onward?: string }>(`/authorizations/${view.ref}/decision`, decision);
      if (sent.ok && sent.value.onward === undefined) await reload();
      if (sent.ok) onDone(sent.value.onward);
      return sent;
    },
    onProblem: failed,
  });
  const given = givenBy(destination, draft, known);
  const impossible = view.by_name && view.destinations.length === 0;
  return (
    <section className="card" aria-label={M.authorize.what}>
      {impossible ? <Problem text={M.authorize.notYours} /> : null}
      {view.by_name || view.destinations.length === 0 ? null : (
        <RadioGroup className="group" value={picked ?? NOTHING} onChange={setPicked}>
          <Label>{M.authorize.where}</Label>
          {view.destinations.map((d) => (
            <Radio key={d.id} value={d.id} className="choice">
              <Text text={d.title} />
            </Radio>
          ))}
          <Radio value={NOTHING} className="choice">
            <span>{M.authorize.nothingYet}</span>
          </Radio>
        </RadioGroup>
      )}
      {destination === undefined || draft === undefined ? null : (
        <>
          <AccountPick
            destination={destination}
            accounts={accounts.value?.accounts}
            picked={given.accountRef}
            onPick={(accountRef) => change({ accountRef })}
            onProblem={failed}
          />
          <ScopeFields
            consent={destination}
            asked={destination.asked}
            draft={draft}
            problems={given.problems}
            onChange={change}
          />
          {mayAct(destination, draft.operations) ? <p>{M.consents.reminder}</p> : null}
        </>
      )}
      {problem === undefined ? null : <Problem text={problem} />}
      <div className="actions">
        {impossible ? null : (
          <Act
            label={M.authorize.allow}
            kind="primary"
            isDisabled={given.decision === undefined}
            {...answer(given.decision ?? { decision: "refuse" })}
          />
        )}
        <Act label={M.authorize.refuse} {...answer({ decision: "refuse" })} />
      </div>
      {given.problems[0] === undefined ? null : <p className="quiet">{missingText(given.problems[0])}</p>}
    </section>
  );
}

function givenBy(
  destination: AuthorizationDestination | undefined,
  draft: GrantDraft | undefined,
  accounts: readonly AccountView[],
): {
  readonly decision?: AuthorizationDecision;
  readonly accountRef: string | undefined;
  readonly problems: ReturnType<typeof grantOf>["problems"];
} {
  if (destination === undefined || draft === undefined)
    return { decision: { decision: "allow" }, accountRef: undefined, problems: [] };
  const usable = usableAt(destination, accounts);
  const accountRef = draft.accountRef ?? (usable.length === 1 ? usable[0]?.account_ref : undefined);
  const { decision, problems } = grantOf(destination.asked, { ...draft, accountRef }, Date.now());
  if (decision === undefined) return { accountRef, problems };
  const { decision: _grant, ...grant } = decision;
  return { decision: { decision: "allow", grant: { destination: destination.id, ...grant } }, accountRef, problems };
}

import type { PracticeView, SessionView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { Switch } from "react-aria-components";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Fact } from "../parts/facts.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { problemText, send } from "../server/api.ts";
import { type Loaded, useLoad } from "../server/use-load.ts";

const ACTS = ["bank_approves", "sign_out", "reset"] as const;

/** In a demonstration alone: what the practice shop does wrong with the next order, and what it counted. */
export function PracticePage() {
  const session = useLoad<SessionView>("/session");
  return (
    <Page title={M.practice.title}>
      <Show loaded={session}>{({ practice }) => (practice ? <Loader /> : <p role="status">{M.practice.none}</p>)}</Show>
    </Page>
  );
}

function Loader() {
  const loaded = useLoad<PracticeView>("/practice");
  return <Show loaded={loaded}>{(view) => <Board view={view} loaded={loaded} />}</Show>;
}

function Board({ view, loaded }: { readonly view: PracticeView; readonly loaded: Loaded<PracticeView> }) {
  const [problem, setProblem] = useState<string>();
  const turn = async (id: string, on: boolean) => {
    const done = await send("/practice", { switch: id, on });
    setProblem(done.ok ? undefined : problemText(done.reason));
    await loaded.reload();
  };
  return (
    <>
      <p className="intro">{M.practice.explain}</p>
      {problem === undefined ? null : <Problem text={problem} />}
      <section className="card" aria-labelledby="faults">
        <h2 id="faults">{M.practice.switches}</h2>
        <p className="quiet">{M.practice.switchesExplain}</p>
        <ul className="rows switches">
          {view.switches.map(({ id, on }) => (
            <li key={id}>
              <Switch className="switch" isSelected={on} onChange={(now) => void turn(id, now)}>
                <span className="track" aria-hidden="true" />
                <span className="lines">
                  <strong>{M.practice.names[id]?.title ?? id}</strong>
                  <span className="quiet">{M.practice.names[id]?.text}</span>
                </span>
                <span className="quiet">{on ? M.practice.on : M.practice.off}</span>
              </Switch>
            </li>
          ))}
        </ul>
      </section>
      <section className="card" aria-labelledby="codes">
        <h2 id="codes">{M.practice.codes}</h2>
        <dl className="facts">
          <Fact label={M.practice.signInCode}>
            <code>{view.sign_in_code}</code>
          </Fact>
          <Fact label={M.practice.bankCode}>
            {view.bank_code === undefined ? M.practice.noBankCode : <code>{view.bank_code}</code>}
          </Fact>
        </dl>
        <h3>{M.practice.actions}</h3>
        <div className="actions">
          {ACTS.map((id) => (
            <Act
              key={id}
              label={M.practice[id]}
              act={() => send("/practice", { act: id })}
              onDone={loaded.reload}
              onProblem={(reason) => setProblem(problemText(reason))}
            />
          ))}
          <a className="button plain" href={view.shop_origin} target="_blank" rel="noopener noreferrer">
            {M.practice.openShop}
          </a>
        </div>
      </section>
      <section className="card" aria-labelledby="counters">
        <h2 id="counters">{M.practice.counters}</h2>
        <dl className="facts counts">
          {Object.entries(view.counters).map(([name, count]) =>
            Object.hasOwn(M.practice.counted, name) ? (
              <Fact key={name} label={M.practice.counted[name] ?? name}>
                {count}
              </Fact>
            ) : null,
          )}
        </dl>
      </section>
    </>
  );
}

import type { SignInWaysView } from "@countersign/gateway/trusted-contract";
import { err, type Result } from "@countersign/wire";
import { useEffect, useState } from "react";
import { go } from "../app/router.ts";
import { holdPastedLink } from "../link/link-token.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import { askPasskey, canUsePasskeys } from "../passkeys/ask.ts";
import { type CallProblem, load, problemText, send } from "../server/api.ts";

/**
 * The ways in, the best first: a passkey without any name, the outside provider where there is one, a one-time link.
 * It is drawn in the place of the page that was asked for, so that signing in leads there.
 */
export function SignInBox() {
  const [problem, setProblem] = useState<string>();
  const { outside } = useWays();
  const byPasskey = async (): Promise<Result<unknown, CallProblem>> => {
    setProblem(undefined);
    const begun = await send<{ readonly options: object }>("/sign-in/begin");
    if (!begun.ok) return begun;
    const answer = await askPasskey(begun.value.options);
    if (answer.ok) return send("/sign-in/finish", { answer: answer.value });
    setProblem(M.passkeys.trouble[answer.reason]);
    return err("passkey_refused");
  };
  const byOutside = async (): Promise<Result<unknown, CallProblem>> => {
    setProblem(undefined);
    const begun = await send<{ readonly url: string }>("/sign-in/outside/begin", { back: location.pathname });
    if (begun.ok) location.assign(begun.value.url);
    return begun;
  };
  const failed = (reason: CallProblem) =>
    setProblem((said) => said ?? (reason === "passkey_refused" ? M.signIn.refused : problemText(reason)));
  return (
    <section className="card sign-in" aria-label={M.signIn.title}>
      <p>{M.signIn.text}</p>
      {problem === undefined ? null : <Problem text={problem} />}
      <div className="actions">
        {canUsePasskeys() ? (
          <Act label={M.signIn.passkey} kind="primary" act={byPasskey} onProblem={failed} />
        ) : (
          <p className="notice">{M.passkeys.trouble.unsupported}</p>
        )}
        {outside === undefined ? null : (
          <Act label={M.signIn.outside(outside.title)} act={byOutside} onProblem={failed} />
        )}
      </div>
      <div className="apart">
        <h2>{M.signIn.linkTitle}</h2>
        <p>{M.signIn.linkText}</p>
        <p>
          <code className="command">{M.signIn.command}</code>
        </p>
        <p className="quiet">
          {M.signIn.checkout} <code>{M.signIn.checkoutCommand}</code>
        </p>
        <PastedLink />
      </div>
    </section>
  );
}

/** Asked once: it is a setting, and nothing of anybody's that would be forgotten with a session. */
function useWays(): SignInWaysView {
  const [ways, setWays] = useState<SignInWaysView>({});
  useEffect(() => {
    let here = true;
    void load<SignInWaysView>("/sign-in").then((answer) => {
      if (here && answer.ok) setWays(answer.value);
    });
    return () => {
      here = false;
    };
  }, []);
  return ways;
}

/** For a link that came to another device than this one: on paper, read out, or in a message. */
function PastedLink() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (holdPastedLink(text)) go("/link");
        else setWrong(true);
      }}
    >
      <div className="field">
        <label htmlFor="sign-in-link">{M.signIn.paste}</label>
        <input
          id="sign-in-link"
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setWrong(false);
          }}
        />
      </div>
      {wrong ? <Problem text={M.link.missing} /> : null}
      <button type="submit" className="button plain">
        {M.signIn.useLink}
      </button>
    </form>
  );
}

import { useState } from "react";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Page, Problem } from "../parts/page.tsx";
import { problemText, send } from "../server/api.ts";

/** For a device without a browser of its own: the person types the code that it shows (RFC 8628). */
export function DevicePage() {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    if (busy || code.trim() === "") return;
    setBusy(true);
    setProblem(undefined);
    const found = await send<{ readonly ref: string }>("/device", { user_code: code.trim() });
    setBusy(false);
    if (found.ok) return go(`/authorize/${found.value.ref}`);
    setProblem(found.reason === "not_found" ? M.authorize.device.none : problemText(found.reason));
  };
  return (
    <Page title={M.authorize.device.title}>
      <section className="card">
        <p>{M.authorize.device.text}</p>
        <p className="notice">{M.authorize.device.warning}</p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className="field">
            <label htmlFor="device-code">{M.authorize.device.code}</label>
            <input
              id="device-code"
              value={code}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={20}
              placeholder={M.authorize.device.example}
              onChange={(event) => {
                setCode(event.target.value);
                setProblem(undefined);
              }}
            />
          </div>
          {problem === undefined ? null : <Problem text={problem} />}
          <button type="submit" className="button primary" disabled={busy || code.trim() === ""}>
            {M.authorize.device.next}
          </button>
        </form>
      </section>
    </Page>
  );
}

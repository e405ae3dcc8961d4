import type { ContactView } from "@countersign/gateway/trusted-contract";
import { useId, useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Countdown } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";

const CODE_DIGITS = 8;

/** How the person is told of what waits for them, and where. */
export function ContactPage() {
  const loaded = useLoad<ContactView>("/contact");
  return (
    <Page title={M.contact.title}>
      <p>{M.contact.explain}</p>
      <Show loaded={loaded}>{(view) => <Ways view={view} reload={loaded.reload} />}</Show>
    </Page>
  );
}

function Ways({ view, reload }: { readonly view: ContactView; readonly reload: () => Promise<void> }) {
  return (
    <>
      {view.unreached_by.map((channel) => (
        <Problem key={channel} text={M.contact.unreached[channel]} />
      ))}
      {view.channels.length === 0 ? (
        <section className="card empty">
          <p role="status">{M.contact.none}</p>
          <p className="quiet">{M.contact.noneMore}</p>
        </section>
      ) : null}
      {view.channels.includes("email") ? <Mail view={view} reload={reload} /> : null}
      {view.channels
        .filter((channel) => channel !== "email")
        .map((channel) => (
          <section className="card" key={channel}>
            <h2>{M.contact.ways[channel].title}</h2>
            <p>{M.contact.ways[channel].text}</p>
          </section>
        ))}
    </>
  );
}

function Mail({ view, reload }: { readonly view: ContactView; readonly reload: () => Promise<void> }) {
  const { email, pending } = view;
  return (
    <section className="card" aria-labelledby="contact-mail">
      <h2 id="contact-mail">{M.contact.mail}</h2>
      {email === undefined ? (
        pending === undefined && <p role="status">{M.contact.noAddress}</p>
      ) : (
        <>
          <p>
            {M.contact.sentTo}{" "}
            <strong>
              <Text text={email.address} />
            </strong>
          </p>
          <Act label={M.contact.stop} kind="danger" act={() => send("/contact/email/remove")} onDone={reload} />
        </>
      )}
      {pending === undefined ? (
        <AddressField hasAddress={email !== undefined} reload={reload} />
      ) : (
        <CodeField pending={pending} reload={reload} />
      )}
    </section>
  );
}

function AddressField({ hasAddress, reload }: { readonly hasAddress: boolean; readonly reload: () => Promise<void> }) {
  const id = useId();
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState<CallProblem>();
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{hasAddress ? M.contact.another : M.contact.address}</label>
        <input
          id={id}
          type="email"
          autoComplete="email"
          maxLength={254}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </div>
      {problem === undefined ? null : (
        <Problem text={problem === "invalid_request" ? M.contact.badAddress : problemText(problem)} />
      )}
      <Act
        label={M.contact.sendCode}
        isDisabled={address.trim() === ""}
        act={() => send("/contact/email", { address: address.trim() })}
        onDone={() => {
          setProblem(undefined);
          return reload();
        }}
        onProblem={setProblem}
      />
      {hasAddress ? <p className="quiet">{M.contact.toldOld}</p> : null}
    </>
  );
}

function CodeField(props: {
  readonly pending: NonNullable<ContactView["pending"]>;
  readonly reload: () => Promise<void>;
}) {
  const id = useId();
  const [code, setCode] = useState("");
  const [other, setOther] = useState(false);
  const [problem, setProblem] = useState<CallProblem>();
  if (other) return <AddressField hasAddress={false} reload={props.reload} />;
  return (
    <>
      <p role="status">
        {M.contact.codeSent} <strong>{<Text text={props.pending.address} />}</strong>. {M.contact.codeLeft}{" "}
        <Countdown to={props.pending.expires_at} />
      </p>
      <div className="field">
        <label htmlFor={id}>{M.contact.code}</label>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={CODE_DIGITS}
          value={code}
          onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, ""))}
        />
      </div>
      {problem === undefined ? null : <Problem text={codeProblem(problem)} />}
      <p className="acts">
        <Act
          label={M.contact.confirm}
          kind="primary"
          isDisabled={code.length !== CODE_DIGITS}
          act={() => send("/contact/email/confirm", { code })}
          onDone={props.reload}
          onProblem={setProblem}
        />{" "}
        <button type="button" className="bare" onClick={() => setOther(true)}>
          {M.contact.otherAddress}
        </button>
      </p>
    </>
  );
}

function codeProblem(problem: CallProblem): string {
  if (problem === "invalid_request") return M.contact.wrongCode;
  return problem === "gone" ? M.contact.codeGone : problemText(problem);
}

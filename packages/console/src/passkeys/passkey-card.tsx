import type { PasskeyView } from "@countersign/gateway/trusted-contract";
import { err, type Result } from "@countersign/wire";
import { useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Badge } from "../parts/badge.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Problem } from "../parts/problem.tsx";
import { Text } from "../parts/value.tsx";
import { Ago, When } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { askPasskey } from "./ask.ts";

/** One passkey: what it is called, what it may do and since when, and how to rename, confirm or remove it. */
export function PasskeyCard(props: {
  readonly passkey: PasskeyView;
  /** It is the only one that is left. */
  readonly isLast: boolean;
  /** There is an older one that may sign for it. */
  readonly canConfirm: boolean;
  readonly reload: () => Promise<void>;
}) {
  const { passkey, reload } = props;
  const [renaming, setRenaming] = useState(false);
  const [problem, setProblem] = useState<string>();
  const named = { credential_id: passkey.credential_id };
  const confirm = async (): Promise<Result<unknown, CallProblem>> => {
    setProblem(undefined);
    const begun = await send<{ readonly options: object }>("/passkeys/confirm/begin", named);
    if (!begun.ok) return begun;
    const answer = await askPasskey(begun.value.options);
    if (answer.ok) return send("/passkeys/confirm/finish", { answer: answer.value });
    setProblem(M.passkeys.trouble[answer.reason]);
    return err("passkey_refused");
  };
  return (
    <li className="card">
      <span className="line">
        <strong>
          <Text text={passkey.label} />
        </strong>
        <Badge
          tone={passkey.standing === "counts" ? "good" : "wait"}
          text={passkey.standing === "counts" ? M.passkeys.counts : M.passkeys.settling}
        />
      </span>
      {passkey.counts_from === undefined ? null : (
        <p>
          {M.passkeys.countsFrom} <When at={passkey.counts_from} />
          {props.canConfirm ? M.passkeys.orConfirm : "."}
        </p>
      )}
      <p className="quiet">
        {M.passkeys.added} <When at={passkey.added_at} />
        {" · "}
        {passkey.last_used_at === undefined ? (
          M.passkeys.neverUsed
        ) : (
          <>
            {M.passkeys.used} <Ago at={passkey.last_used_at} />
          </>
        )}
      </p>
      {problem === undefined ? null : <Problem text={problem} />}
      {renaming ? (
        <Rename
          passkey={passkey}
          close={async () => {
            await reload();
            setRenaming(false);
          }}
        />
      ) : (
        <div className="actions">
          {props.canConfirm ? (
            <Act
              label={M.passkeys.confirm}
              kind="primary"
              act={confirm}
              onDone={reload}
              onProblem={(reason) => setProblem((said) => said ?? problemText(reason))}
            />
          ) : null}
          <Button className="button plain" onPress={() => setRenaming(true)}>
            {M.passkeys.rename}
          </Button>
          <Confirm
            label={M.passkeys.remove}
            title={M.passkeys.removeTitle}
            act={() => send("/passkeys/remove", named)}
            onDone={reload}
            onProblem={reload}
          >
            <p>
              <strong>
                <Text text={passkey.label} />
              </strong>
            </p>
            <p>{M.passkeys.removeExplain}</p>
            {props.isLast ? <p className="notice">{M.passkeys.removeLast}</p> : null}
          </Confirm>
        </div>
      )}
    </li>
  );
}

function Rename({ passkey, close }: { readonly passkey: PasskeyView; readonly close: () => Promise<void> }) {
  const [label, setLabel] = useState(passkey.label);
  const [problem, setProblem] = useState<string>();
  const field = `name-of-${passkey.credential_id}`;
  return (
    <>
      <div className="field">
        <label htmlFor={field}>{M.passkeys.label}</label>
        <input
          id={field}
          maxLength={80}
          value={label}
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
        />
      </div>
      {problem === undefined ? null : <Problem text={problem} />}
      <div className="actions">
        <Act
          label={M.passkeys.save}
          kind="primary"
          isDisabled={label.trim() === ""}
          act={() => send("/passkeys/rename", { credential_id: passkey.credential_id, label: label.trim() })}
          onDone={close}
          onProblem={(reason) => setProblem(problemText(reason))}
        />
        <Button className="button plain" onPress={() => void close()}>
          {M.keep}
        </Button>
      </div>
    </>
  );
}

import type { LiveServerMessage } from "@countersign/gateway/trusted-contract";
import type { ViewInput } from "@countersign/plugin";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Text } from "../parts/value.tsx";

/** The remote page's own alert, question or prompt. It is not in the picture, and the page stands still until answered. */
export function SiteDialog(props: {
  readonly dialog: Extract<LiveServerMessage, { type: "dialog" }>;
  readonly onAnswer: (answer: Extract<ViewInput, { type: "dialog" }>) => void;
}) {
  const { dialog, onAnswer } = props;
  const [text, setText] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const asksText = dialog.kind === "prompt";
  return (
    <div className="dialog" role="alertdialog" aria-label={M.handoff.dialog} tabIndex={-1} ref={box}>
      <span className="kind">{M.handoff.dialog}</span>
      <p>
        <Text text={dialog.text} />
      </p>
      {asksText ? (
        <div className="field">
          <label htmlFor="dialog-answer">{M.handoff.answer}</label>
          <input
            id="dialog-answer"
            autoComplete="off"
            maxLength={2_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      ) : null}
      <div className="actions">
        <Button
          className="button primary"
          onPress={() => onAnswer({ type: "dialog", accept: true, ...(asksText ? { text } : {}) })}
        >
          {M.handoff.accept}
        </Button>
        {dialog.kind === "alert" ? null : (
          <Button className="button plain" onPress={() => onAnswer({ type: "dialog", accept: false })}>
            {M.handoff.dismiss}
          </Button>
        )}
      </div>
    </div>
  );
}

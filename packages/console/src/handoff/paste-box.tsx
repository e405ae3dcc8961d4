import type { ViewInput } from "@countersign/plugin";
import { type KeyboardEvent, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { pressOf } from "./keys.ts";
import { textInputs } from "./text.ts";

const KEYS = ["Tab", "Enter", "Backspace"] as const;

/**
 * Text for the field that has the focus over there: a code from another place, or all typing where no keyboard reaches
 * the picture. Drawn as dots, but no password field: this browser must not offer to keep another site's password.
 */
export function PasteBox({ say }: { readonly say: (...inputs: readonly ViewInput[]) => void }) {
  const [text, setText] = useState("");
  const paste = () => {
    say(...textInputs(text));
    setText("");
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) paste();
  };
  return (
    <div className="field paste">
      <label htmlFor="paste">{M.handoff.pasteLabel}</label>
      <div className="row">
        <input
          id="paste"
          className="dots"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={text}
          onKeyDown={enter}
          onChange={(event) => setText(event.target.value)}
        />
        <Button className="button plain" onPress={paste} isDisabled={text === ""}>
          {M.handoff.paste}
        </Button>
      </div>
      <fieldset className="keys">
        <legend>{M.handoff.keys}</legend>
        {KEYS.map((key) => (
          <Button key={key} className="button plain small" onPress={() => say(...pressOf(key))}>
            {key}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

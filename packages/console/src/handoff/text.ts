/** What one `text` input may hold at most, well under what the gateway takes. */
export const TEXT_INPUT_CHARS_MAX = 2_000;

/** Cuts a long text into inputs that the gateway takes, never inside a character. */
export function textInputs(text: string): readonly { readonly type: "text"; readonly text: string }[] {
  const inputs: { readonly type: "text"; readonly text: string }[] = [];
  let part = "";
  for (const character of text) {
    if (part.length + character.length > TEXT_INPUT_CHARS_MAX) {
      inputs.push({ type: "text", text: part });
      part = "";
    }
    part += character;
  }
  if (part !== "") inputs.push({ type: "text", text: part });
  return inputs;
}

/** What is being composed, as far as one input takes it; nothing of it is final. */
export function composeInputs(text: string): readonly { readonly type: "compose"; readonly text: string }[] {
  const [first] = textInputs(text);
  return first === undefined ? [] : [{ type: "compose", text: first.text }];
}

import { digestOfText, err, ok, type Result } from "@countersign/wire";
import type { ActionRecord } from "../records/action.ts";
import type { ApprovalRecord } from "../records/approval.ts";
import { readDisclosure } from "../records/disclosure.ts";
import type { RefusalCode } from "./report.ts";

/** The private field that holds what the person was shown. */
export const DISPLAY_TEXT = "display_text";

/**
 * Draws an action again as the named surface and version drew it; undefined when that version is not known here.
 * `personal` is the disclosed private text by name, without the display text. Must not throw.
 */
export type Render = (
  record: ActionRecord,
  personal: Readonly<Record<string, string>>,
  surface: ApprovalRecord["surface"],
) => string | undefined;

/** Step 6: each disclosure is one of the record's private fields, and each field is opened at most once. */
export async function openDisclosures(
  action: ActionRecord,
  disclosures: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, RefusalCode>> {
  const opened = new Map<string, string>();
  for (const disclosure of disclosures) {
    const field = readDisclosure(disclosure);
    if (!field.ok) return err("disclosure_malformed");
    const { name, value } = field.value;
    const expected = Object.hasOwn(action.private, name) ? action.private[name] : undefined;
    if (opened.has(name) || (await digestOfText(disclosure)) !== expected) return err("disclosure_unknown");
    opened.set(name, value);
  }
  return ok(opened);
}

/**
 * Step 6: what was shown is what the record says, as far as that can be drawn again. While any other private field is
 * withheld the text cannot be drawn, and only its digest speaks for it.
 */
export function checkRendering(
  action: ActionRecord,
  disclosed: ReadonlyMap<string, string>,
  surface: ApprovalRecord["surface"],
  render: Render | undefined,
): Result<"same" | "not_checked", "display_differs"> {
  const shown = disclosed.get(DISPLAY_TEXT);
  const complete = Object.keys(action.private).every((name) => disclosed.has(name));
  if (render === undefined || shown === undefined || !complete) return ok("not_checked");
  const personal = Object.fromEntries([...disclosed].filter(([name]) => name !== DISPLAY_TEXT));
  const drawn = render(action, personal, surface);
  if (drawn === undefined) return ok("not_checked");
  return drawn === shown ? ok("same") : err("display_differs");
}

import { present, type TermsMeaning } from "@countersign/profile";
import { type JsonObject, previewOf, previewText } from "@countersign/wire";
import { NOTICE_TEXT_CHARS_MAX } from "../limits.ts";

/**
 * Text that a site, an agent or the person wrote, for a message: by the one renderer (U33), on one line, with nothing in
 * it that a mail program turns into a link. The only link of a message is ours.
 */
export function quoted(text: string): string {
  return shortened(previewText(text, Number.POSITIVE_INFINITY));
}

const ON_THE_PAGE = "(shown on the page)";

/** The terms as lines, as the page draws them; what is personal stays on the page. */
export function termLines(meaning: TermsMeaning, terms: JsonObject): readonly string[] {
  const personal = Object.fromEntries(meaning.personal.map(({ name }) => [name, ON_THE_PAGE]));
  const shown = present(meaning, terms, personal);
  const fields = shown.fields.map((field) => ({ place: field.place, lines: [fieldLine(field)] }));
  const lists = shown.lists.map((list) => ({
    place: list.place,
    // One term a line: a title could speak for what stands behind it.
    lines: list.rows.flatMap((row, index) => [
      `${list.label}, ${index + 1} of ${list.rows.length}`,
      ...row.map((field) => `  ${fieldLine(field)}`),
    ]),
  }));
  return [...fields, ...lists].sort((a, b) => a.place - b.place).flatMap((part) => part.lines);
}

type ShownField = ReturnType<typeof present>["fields"][number];

function fieldLine({ label, value }: ShownField): string {
  const warning = value.warning === undefined ? "" : ` (Careful: ${value.warning})`;
  return `${label}: ${shortened(previewOf(value.segments, Number.POSITIVE_INFINITY))}${warning}`;
}

/** Cut once, never inside an escape: half of one would say something else. The page has all of it. */
function shortened(text: string): string {
  const points = Array.from(text);
  if (points.length <= NOTICE_TEXT_CHARS_MAX) return text;
  const kept = points.slice(0, NOTICE_TEXT_CHARS_MAX).join("");
  const open = kept.lastIndexOf("[");
  const whole = open > kept.lastIndexOf("]") ? kept.slice(0, open) : kept;
  return `${whole}… (${points.length} characters; all of it is on the page)`;
}

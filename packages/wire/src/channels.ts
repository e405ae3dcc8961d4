import { plainText, revealText, type Segment } from "./text.ts";

/**
 * One function for each channel that shows text to a person, all of them over the same segments (lessons U32, U33). What
 * a page draws, a mail says and a terminal prints differs in form and never in what stands there.
 */

/** Text of ours on its way to a terminal: nothing in it can move the cursor, hide or reorder. Lines and layout stay. */
export function terminalText(text: string): string {
  return plainText(revealText(text, { lines: "keep", layout: "ours" }));
}

/** JSON for a person's terminal. Whatever is odd in it stands as a JSON escape, so that a parser reads the same value. */
export function terminalJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "null";
  return revealText(text, { lines: "keep", layout: "ours" })
    .map((segment) => (segment.kind === "plain" ? segment.text : jsonEscape(segment.text)))
    .join("");
}

/** What a preview cannot hold: an address that a mail program or a telephone makes a link of. */
const DOT_OF_A_NAME = /(?<=[\p{L}\p{N}_-])\.(?=[\p{L}\p{N}])/gu;
const COLON_OF_A_SCHEME = /(?<=[A-Za-z0-9+.-]):(?=\S)/gu;
const AT_OF_AN_ADDRESS = /(?<=\S)@/gu;

/**
 * Text of others in a line that programs show by themselves: a subject, a push message, a preview. One line, bounded,
 * and nothing in it can be followed: `evil.example` reads `evil[.]example`. Too long a text is cut between characters
 * and says how long it was.
 */
export function previewText(text: string, maxChars: number): string {
  return previewOf(revealText(text), maxChars);
}

export function previewOf(segments: readonly Segment[], maxChars: number): string {
  const whole = harmless(plainText(segments));
  if (lengthOf(whole) <= maxChars) return whole;
  const note = `… (${segments.reduce((sum, segment) => sum + lengthOf(segment.text), 0)} characters)`;
  let kept = "";
  for (const piece of segments.flatMap(piecesOf)) {
    const longer = harmless(kept + piece);
    if (lengthOf(longer) + lengthOf(note) > maxChars) break;
    kept += piece;
  }
  return `${harmless(kept)}${note}`;
}

/** Sums of money keep their point: a number is no name. */
function harmless(text: string): string {
  return text
    .replace(DOT_OF_A_NAME, (dot, at: number) => (isNumber(text, at) ? dot : "[.]"))
    .replace(COLON_OF_A_SCHEME, "[:]")
    .replace(AT_OF_AN_ADDRESS, "[@]");
}

/** Whether the dot at `at` stands between digits of a number with one dot: `49.90`, but not `127.0.0.1` or `1.example`. */
function isNumber(text: string, at: number): boolean {
  const before = /(?:^|[^\p{L}\p{N}._-])[0-9]+$/u.test(text.slice(Math.max(0, at - 20), at));
  const after = /^[0-9]+(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(text.slice(at + 1, at + 21));
  return before && after;
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** An escape is one piece: half of one would say something else. */
function piecesOf(segment: Segment): readonly string[] {
  if (segment.kind === "escaped") return [`[${segment.text}]`];
  return Array.from(GRAPHEMES.segment(segment.text), (each) => each.segment);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** `U+202E` or `U+00A0×3` as JSON writes it: by UTF-16 units. */
function jsonEscape(name: string): string {
  const [hex = "", count = "1"] = name.slice("U+".length).split("×");
  const unit = (at: string, index: number) => `\\u${at.charCodeAt(index).toString(16).padStart(4, "0")}`;
  const character = String.fromCodePoint(Number.parseInt(hex, 16));
  const escaped = Array.from({ length: character.length }, (_, index) => unit(character, index)).join("");
  return escaped.repeat(Number(count));
}

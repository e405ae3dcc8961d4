import { COMBINING_RUN_MAX, SPACE_RUN_MAX } from "./limits.ts";
import { lookalikePositions } from "./scripts.ts";
import { isUnassigned } from "./unassigned.ts";

/**
 * Why a character is shown by its number. `combining`: a mark without a base, a pile of them, or one that strikes through
 * or encloses. `forged`: the text itself holds what an escape looks like.
 */
export type EscapeReason =
  | "bidi"
  | "invisible"
  | "control"
  | "space"
  | "lookalike"
  | "combining"
  | "private_use"
  | "unassigned"
  | "surrogate"
  | "forged";

/** A piece of text as a person should see it. `text` of an escape: `U+202E`, or `U+00A0×400` for a run of one character. */
export type Segment =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "escaped"; readonly text: string; readonly why: EscapeReason };

/**
 * `lines`: whether a newline may break the line (display text of several lines) or is shown as `U+000A` (a title, a
 * label: anything that must stay in its field). Default `escape`.
 */
export interface RevealOptions {
  readonly lines?: "escape" | "keep";
  /**
   * `ours`: the text was laid out by us, and what others wrote in it is revealed already; runs of ordinary spaces and
   * escapes stay. A second look at the whole, where a channel has one way out (the command's output). Default `foreign`.
   */
  readonly layout?: "foreign" | "ours";
}

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const CONTROL = /\p{Cc}/u;
// U+2800 is a Braille pattern without dots: it prints as a blank.
const SPACE = /[\u2800\p{Z}]/u;
// Default_Ignorable_Code_Point holds zero-width characters, soft hyphen, Hangul fillers, tags and both ranges of
// variation selectors; Cf adds the rest of the format characters; U+1D159 is a note without a head.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u{1d159}]/u;
const PRIVATE_USE = /\p{Co}/u;
const SURROGATE = /\p{Cs}/u;
const MARK = /\p{M}/u;
// Strokes, slashes and rings drawn over their base, and marks that enclose it: `4\u03369` reads as a price struck out.
const OVERLAY = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb\u{1d165}\p{Me}]/u;
const FORGED = /\[U\+[0-9A-Fa-f]/y;
// Letters drawn by mathematics blocks: whole words of them read as Latin.
const MATH_LETTER = /[\u{1d400}-\u{1d7ff}]/u;
// Most texts are of these alone, and then only a run of spaces or an imitated escape is odd.
const PRINTABLE = /^[\x20-\x7e]*$/;
const PRINTABLE_LINES = /^[\n\x20-\x7e]*$/;
const ODD_PRINTABLE = new RegExp(`\\[U\\+[0-9A-Fa-f]| {${SPACE_RUN_MAX + 1}}`);
/** One emoji made colourful by variation selector 16, or a keycap. Longer sequences show their joiners. */
const EMOJI_VS16 = /(?:(?=\p{Extended_Pictographic})\p{Emoji}\ufe0f|[0-9#*]\ufe0f\u20e3)/uy;

/**
 * The one renderer's core for every text that people, sites and agents wrote, in every field and channel (lessons U30
 * to U33). It changes nothing in the record: the digest is over the text as it came. Joiners inside Persian or Indic
 * words are shown as well; a person deciding about money is better served by a visible joiner than by a hidden one.
 * The answer is the same in every engine with Unicode 15.1 or later.
 */
export function revealText(text: string, options: RevealOptions = {}): readonly Segment[] {
  if (isPlain(text, options)) return text === "" ? [] : [{ kind: "plain", text }];
  const suspects = lookalikePositions(text);
  const out: Segment[] = [];
  let plain = "";
  let marks = COMBINING_RUN_MAX;
  const flush = (): void => {
    if (plain !== "") out.push({ kind: "plain", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    EMOJI_VS16.lastIndex = at;
    const emoji = EMOJI_VS16.exec(text)?.[0];
    if (emoji !== undefined) {
      plain += emoji;
      at += emoji.length;
      marks = COMBINING_RUN_MAX;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    const c = String.fromCodePoint(point);
    const isMark = MARK.test(c) && !INVISIBLE.test(c);
    // A mark is plain while it sits on a plain base with few others. A space is no base.
    marks = isMark ? marks + 1 : c === " " ? COMBINING_RUN_MAX : 0;
    const kept = c === "\n" && options.lines === "keep";
    const reason = kept
      ? undefined
      : isMark && (marks > COMBINING_RUN_MAX || OVERLAY.test(c))
        ? "combining"
        : suspects.has(at) && !INVISIBLE.test(c)
          ? "lookalike"
          : reasonFor(text, at, point, options.layout ?? "foreign");
    if (reason === undefined) {
      plain += c;
      at += c.length;
      if (kept) marks = COMBINING_RUN_MAX;
      continue;
    }
    flush();
    const run = runLength(text, at, c);
    out.push({ kind: "escaped", text: `${codePointName(point)}${run > 1 ? `×${run}` : ""}`, why: reason });
    at += c.length * run;
    // No mark may attach itself to an escape.
    marks = COMBINING_RUN_MAX;
  }
  flush();
  return out;
}

/** For channels without styling (mail, terminal, plain-text copy): escapes in square brackets, which no text can forge. */
export function plainText(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === "plain" ? segment.text : `[${segment.text}]`)).join("");
}

function isPlain(text: string, { lines, layout }: RevealOptions): boolean {
  const isPrintable = lines === "keep" ? PRINTABLE_LINES.test(text) : PRINTABLE.test(text);
  return isPrintable && (layout === "ours" || !ODD_PRINTABLE.test(text));
}

function reasonFor(text: string, at: number, point: number, layout: "foreign" | "ours"): EscapeReason | undefined {
  const c = String.fromCodePoint(point);
  if (c === " ") return layout === "foreign" && runLength(text, at, c) > SPACE_RUN_MAX ? "space" : undefined;
  if (c === "[") return layout === "foreign" && looksLikeEscape(text, at) ? "forged" : undefined;
  if (CONTROL.test(c)) return "control";
  if (BIDI.test(c)) return "bidi";
  if (SPACE.test(c)) return "space";
  if (SURROGATE.test(c)) return "surrogate";
  if (INVISIBLE.test(c)) return "invisible";
  if (PRIVATE_USE.test(c)) return "private_use";
  if (isUnassigned(point)) return "unassigned";
  return MATH_LETTER.test(c) ? "lookalike" : undefined;
}

function runLength(text: string, at: number, c: string): number {
  let run = 1;
  while (text.startsWith(c, at + run * c.length)) run++;
  return run;
}

function looksLikeEscape(text: string, at: number): boolean {
  FORGED.lastIndex = at;
  return FORGED.test(text);
}

function codePointName(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

const LATIN = /\p{Script=Latin}/u;
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** The ohm, as sign or as capital omega, stands in `10kΩ` on honest pages and imitates no Latin letter. */
const NEUTRAL = /[\u2126\u03a9]/gu;

/** The words of a text: letters, marks and digits that stand together. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether one word mixes Latin with Cyrillic or Greek letters, as look-alike names do (lessons U31). A text of several
 * words is mixed when one of them is; words of different scripts side by side are honest.
 */
export function hasMixedScripts(text: string): boolean {
  return (text.match(WORD) ?? []).some(isMixedWord);
}

export function isMixedWord(word: string): boolean {
  const letters = word.replaceAll(NEUTRAL, "");
  return LATIN.test(letters) && OTHER.test(letters);
}

/** The script whose letters are fewer in a mixed word: those are the ones put there to deceive. Ties: not Latin. */
export function minorityLetter(word: string): RegExp {
  const latin = Array.from(word).filter((c) => LATIN.test(c)).length;
  const other = Array.from(word).filter((c) => OTHER.test(c)).length;
  return latin < other ? LATIN : OTHER;
}

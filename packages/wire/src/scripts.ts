/**
 * Scripts with letters that pass for Latin ones (UTS 39, confusables). Scripts that nobody takes for Latin, such as Han,
 * kana, Arabic or Thai, stand beside Latin letters in honest words (`USBケーブル`) and are not here.
 */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Canadian_Aboriginal}/u,
  /\p{Script=Tifinagh}/u,
  /\p{Script=Vai}/u,
  /\p{Script=Deseret}/u,
  /\p{Script=Osage}/u,
  /\p{Script=Warang_Citi}/u,
  /\p{Script=Old_Italic}/u,
  /\p{Script=Gothic}/u,
  /\p{Script=Glagolitic}/u,
  /\p{Script=Runic}/u,
  /\p{Script=Lycian}/u,
  /\p{Script=Lydian}/u,
  /\p{Script=Carian}/u,
  /\p{Script=Elbasan}/u,
  /\p{Script=Miao}/u,
];
const [LATIN = /\p{Script=Latin}/u, ...IMITATORS] = SCRIPTS;
/** The ohm, as sign or as capital omega, stands in `10kΩ` on honest pages and imitates no Latin letter. */
const NEUTRAL = /[\u2126\u03a9]/gu;
const ASCII = /^[\0-\x7f]*$/;
const LETTER = /\p{L}/u;
const OTHER_DIGIT = /(?![0-9\uff10-\uff19])\p{Nd}/u;

/** Letters of other scripts that a reader of Latin takes for a Latin one (UTS 39 confusables; small capitals left out). */
const LATIN_LIKE = new Set(
  "аеорсухһіјӏѕԁԛԝѵүАВЕІЈКМНОРСТХЅҮУԚԜѴӀԌ" +
    "αγικνορυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ" +
    "օոհսցզյՕՍԼՏՈ" +
    "ᎠᎡᎢᎥᎪᎫᎬᎳᎵᎷᎻᏀᏂᏃᏒᏔᏚᏞᏟᏢᏤᏦᏧᏮᏴ",
);

/** The words of a text: letters, marks and digits that stand together. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether one word mixes scripts whose letters pass for each other's, as look-alike names do (lessons U31; UTS 39,
 * restriction levels). A text of several words is mixed when one of them is; words of different scripts side by side
 * are honest.
 */
export function hasMixedScripts(text: string): boolean {
  return (text.match(WORD) ?? []).some(isMixedWord);
}

export function isMixedWord(word: string): boolean {
  return scriptsOf(word).length > 1;
}

/**
 * Whether a whole name is written in letters of another script that all pass for Latin ones, as `аррӏе` is (UTS 39,
 * whole-script confusables).
 */
export function imitatesLatin(name: string): boolean {
  const letters = Array.from(name).filter((c) => LETTER.test(c));
  const foreign = letters.filter((c) => !LATIN.test(c));
  return foreign.length > 0 && foreign.every((c) => LATIN_LIKE.has(c));
}

/** Where characters stand in a text that pass for others; the positions of UTF-16 units. */
export function lookalikePositions(text: string): ReadonlySet<number> {
  const positions = new Set<number>();
  if (ASCII.test(text)) return positions;
  const telling = tellingScripts(text);
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (ASCII.test(word)) continue;
    const suspect = suspectIn(word, telling);
    if (suspect === undefined) continue;
    let at = match.index;
    for (const c of word) {
      if (suspect(c)) positions.add(at);
      at += c.length;
    }
  }
  return positions;
}

interface Telling {
  /** Scripts of which the text has a letter that nobody takes for Latin: a Russian sentence is no imitation. */
  readonly scripts: readonly RegExp[];
  /** Whether any letter is of another script than Latin: then other digits are at home. */
  readonly foreign: boolean;
}

function tellingScripts(text: string): Telling {
  const foreign = Array.from(text).filter((c) => LETTER.test(c) && !LATIN.test(c));
  const unlike = foreign.filter((c) => !LATIN_LIKE.has(c)).join("");
  return { scripts: IMITATORS.filter((script) => script.test(unlike)), foreign: foreign.length > 0 };
}

/** Which characters of a word pass for others; undefined when the word is what it looks like. */
function suspectIn(word: string, telling: Telling): ((c: string) => boolean) | undefined {
  const mixed = scriptsOf(word);
  if (mixed.length > 1) {
    const kept = majority(word, mixed);
    return (c) => !kept.test(c) && mixed.some((script) => script.test(c));
  }
  const [script] = mixed;
  if (script !== undefined && script !== LATIN && !telling.scripts.includes(script)) {
    const letters = Array.from(word).filter((c) => script.test(c));
    // One letter alone is a sign of its own (α, Δ); beside digits it passes for a digit or a unit.
    if ((letters.length > 1 || /[0-9]/.test(word)) && letters.every((c) => LATIN_LIKE.has(c)))
      return (c) => script.test(c);
  }
  // Digits of other scripts pass for other digits (Bengali four for eight), above all inside a number.
  if (OTHER_DIGIT.test(word) && (!telling.foreign || /[0-9]/.test(word))) return (c) => OTHER_DIGIT.test(c);
  return undefined;
}

function scriptsOf(word: string): readonly RegExp[] {
  if (ASCII.test(word)) return [];
  const letters = word.replaceAll(NEUTRAL, "");
  return SCRIPTS.filter((script) => script.test(letters));
}

/** The script with most letters; the others were put there to deceive. Ties: Latin stays. */
function majority(word: string, scripts: readonly RegExp[]): RegExp {
  const count = (script: RegExp) => Array.from(word).filter((c) => script.test(c)).length;
  return scripts.reduce((most, script) => (count(script) > count(most) ? script : most));
}

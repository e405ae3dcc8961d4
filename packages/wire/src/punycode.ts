/** RFC 3492 parameters. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;

/** Decodes a label without its `xn--` (RFC 3492 section 6.2); undefined when it is no valid punycode. */
export function decodePunycode(label: string): string | undefined {
  const split = label.lastIndexOf("-");
  const output = split > 0 ? Array.from(label.slice(0, split), (c) => c.codePointAt(0) ?? 0) : [];
  let at = split > 0 ? split + 1 : 0;
  let point = 128;
  let bias = 72;
  let index = 0;
  while (at < label.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(label.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      if (!Number.isSafeInteger(index)) return undefined;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    point += Math.floor(index / length);
    index %= length;
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    output.splice(index++, 0, point);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return undefined;
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

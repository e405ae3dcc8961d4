import { err, ok, type Result } from "./result.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SEXTETS = new Map([...ALPHABET].map((letter, value) => [letter.charCodeAt(0), value]));

/** RFC 4648 section 5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 6; bits -= 6) text += ALPHABET[(held >> (bits - 6)) & 63];
    held &= (1 << bits) - 1;
  }
  if (bits > 0) text += ALPHABET[(held << (6 - bits)) & 63];
  return text;
}

/**
 * The strict inverse: no padding, no other alphabet, no white space, unused bits zero. So each byte string has exactly
 * one spelling, and a signature cannot be respelled.
 */
export function fromBase64Url(text: string): Result<Uint8Array<ArrayBuffer>, "malformed"> {
  if (text.length % 4 === 1) return err("malformed");
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i++) {
    const sextet = SEXTETS.get(text.charCodeAt(i));
    if (sextet === undefined) return err("malformed");
    held = (held << 6) | sextet;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return held === 0 ? ok(bytes) : err("malformed");
}

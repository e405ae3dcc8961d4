import { fromBase64Url } from "@countersign/wire";

const COUNTER_OFFSET = 33;
const COUNTER_END = COUNTER_OFFSET + 4;

/** The signature counter in an assertion's authenticator data (WebAuthn level 3, section 6.1): 32-bit, big-endian. */
export function counterOf(authenticatorData: string): number {
  const read = fromBase64Url(authenticatorData);
  if (!read.ok || read.value.length < COUNTER_END) return 0;
  return new DataView(read.value.buffer, read.value.byteOffset).getUint32(COUNTER_OFFSET);
}

/**
 * What a counter says (WebAuthn level 3, section 7.2, step 22). Where both are zero the authenticator counts nothing, as
 * synced passkeys do. One that did not grow is a sign, not a proof, that the key was copied: what to do about it is left
 * to us, and we refuse the answer, keep the higher count, and tell the person. The passkey itself stays: an answer with
 * a higher count is the one that the copy does not have.
 */
export function judgeCounter(stored: number, seen: number): "not_counted" | "grew" | "fell_back" {
  if (stored === 0 && seen === 0) return "not_counted";
  return seen > stored ? "grew" : "fell_back";
}

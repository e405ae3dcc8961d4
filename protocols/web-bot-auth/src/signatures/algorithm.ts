/** The names of RFC 9421 section 6.2 that are verified here; signing is Ed25519 alone. HMAC is forbidden by the draft. */
export type Algorithm = "ed25519" | "rsa-pss-sha512" | "ecdsa-p256-sha256";

export const ALGORITHMS: readonly Algorithm[] = ["ed25519", "rsa-pss-sha512", "ecdsa-p256-sha256"];

export function isAlgorithm(name: string): name is Algorithm {
  return ALGORITHMS.some((known) => known === name);
}

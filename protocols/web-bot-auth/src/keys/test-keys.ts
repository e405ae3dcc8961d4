/** Thumbprints of keys whose private halves are printed in RFCs: whoever signs with them is nobody in particular. */
export const PUBLISHED_TEST_KEYS: ReadonlySet<string> = new Set([
  // RFC 9421 B.1.4 (Ed25519) and B.1.2 (RSA-PSS), which the drafts sign their vectors with; RFC 8037 A (Ed25519).
  "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
  "oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA",
  "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
]);

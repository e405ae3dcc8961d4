export { type Address, isPublicAddress, parseAddress } from "./address.ts";
export { fromBase64Url, toBase64Url } from "./base64url.ts";
export {
  canonicalJson,
  type Digest,
  digestOf,
  digestOfBytes,
  digestOfText,
  parseDigest,
  sameDigest,
} from "./canonical.ts";
export { previewOf, previewText, terminalJson, terminalText } from "./channels.ts";
export { type JsonLimits, parseJson, parseRecord } from "./json.ts";
export type { Json, JsonObject, JsonProblem } from "./json-scan.ts";
export {
  generateSigningKey,
  importPrivateKey,
  importPublicKey,
  type JwkLike,
  type PublicJwk,
  parsePublicJwk,
  signerOf,
  thumbprint,
} from "./jwk.ts";
export {
  type JwsHeader,
  type JwsLimits,
  type JwsProblem,
  type ParsedJws,
  parseJws,
  signJws,
  verifyJws,
} from "./jws.ts";
export { JSON_MAX_BYTES, JSON_MAX_DEPTH, RECORD_MAX_BYTES, RECORD_MAX_DEPTH } from "./limits.ts";
export {
  type AmountFormat,
  addMinor,
  currencyDigits,
  formatMoney,
  type MinorProblem,
  type Money,
  type MoneyProblem,
  type MoneyStyle,
  multiplyMinor,
  parseAmountText,
  parseMinor,
} from "./money.ts";
export { checkRecord, isJsonObject } from "./record.ts";
export { AssertionFailed, assert, type Err, err, type Ok, ok, type Result, unreachable } from "./result.ts";
export { hasMixedScripts } from "./scripts.ts";
export { isSecret, Secret, secret } from "./secret.ts";
export { type EscapeReason, plainText, type RevealOptions, revealText, type Segment } from "./text.ts";
export {
  DAY_MS,
  formatInstant,
  formatInstantMs,
  type Instant,
  instant,
  parseInstant,
  parsePeriod,
  type TimeProblem,
} from "./time.ts";
export {
  type HostDisplay,
  hostDisplay,
  isLoopbackHost,
  parseHttpUrl,
  parseOrigin,
  sameOrigin,
  type UrlProblem,
} from "./url.ts";

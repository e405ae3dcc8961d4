export { type PublicJwk, publicJwkOf } from "../keys/public-key.ts";
export { verifierOf } from "../keys/verifier.ts";
export { ALGORITHMS, type Algorithm, isAlgorithm } from "./algorithm.ts";
export { type BaseProblem, type Component, type IdentifiedComponent, signatureBase } from "./base.ts";
export {
  type Candidate,
  type CandidateProblem,
  judgeAlgorithm,
  judgeTime,
  readCandidate,
  type TimeProblem,
} from "./candidate.ts";
export { contentDigest, judgeContentDigest } from "./content-digest.ts";
export {
  type FieldProblem,
  type ParsedInput,
  type ParsedSignatures,
  parseSignatures,
  parseStrictDictionary,
} from "./fields.ts";
export { type FieldLine, fieldOf, type HttpRequest, type HttpResponse, httpRequestOf } from "./message.ts";
export { nodeCrypto } from "./node-crypto.ts";
export {
  type BaseSigner,
  type BaseVerifier,
  type SignatureHeaders,
  type SignatureParameters,
  signMessage,
  type VerifyProblem,
  verifyMessage,
} from "./rfc9421.ts";

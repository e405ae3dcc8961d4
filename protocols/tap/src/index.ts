export { type AgentKey, type AgentKeyProblem, readAgentKey, type TapAlgorithm } from "./keys/agent-key.ts";
export { type AgentKeyAnswer, type AgentKeySource, configuredKeys, fetchedKeys } from "./keys/source.ts";
export { type Kind, TAGS } from "./message/kinds.ts";
export {
  type RecordedApproval,
  signBrowsing,
  signPaying,
  type TapSigned,
  type TapSignOptions,
  type TapSignProblem,
} from "./message/sign.ts";
export {
  createTapVerifier,
  mayPay,
  type TapInvalid,
  type TapResult,
  type TapUnverified,
  type TapVerification,
  type TapVerified,
  type TapVerifier,
  type TapVerifierOptions,
} from "./message/verify.ts";
export { ASSUMED_LINES, type ObjectForm } from "./objects/canonical.ts";
export { type HashEncoding, matchesCard, type TypedCard } from "./objects/credentials.ts";
export { type IdTokenProblem, type IdTokenTrust, type SchemeConsumer, verifyIdToken } from "./objects/id-token.ts";
export { type Invoice, type IouProblem, verifyIou } from "./objects/iou.ts";
export { type LinkedObject, type LinkProblem, signLinked, verifyLinked } from "./objects/linked.ts";
export { type BodyProblem, type Objects, readObjects } from "./objects/members.ts";

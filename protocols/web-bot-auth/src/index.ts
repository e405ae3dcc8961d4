export { type Secret, secret } from "@countersign/wire";
export {
  type AgentPlace,
  cimdDiscovery,
  DISCOVERIES,
  type Discovery,
  type DocumentFormat,
  directoryDiscovery,
  jwksUriDiscovery,
} from "./agent/discovery.ts";
export { type AgentMember, parseSignatureAgent, type SignatureAgent } from "./agent/header.ts";
export { type AgentProblem, type AgentRules, attribute } from "./agent/member.ts";
export { type Card, type CardClaims, type CardProblem, readCard } from "./directory/card.ts";
export { type DirectoryKeysOptions, directoryKeys } from "./directory/directory-keys.ts";
export { directoryDocument, type KeySet, type KeySetProblem, readKeySet } from "./directory/document.ts";
export { type Fetched, type FetchFailure, fetchDocument, type GuardedFetch } from "./directory/fetch.ts";
export { freshForMs } from "./directory/freshness.ts";
export {
  firstKey,
  listed,
  RING_TIMES,
  type RingKey,
  type RingTimes,
  rotated,
  signing,
  withdrawn,
} from "./directory/key-ring.ts";
export { directoryPossession, type Possession, type ProofProblem } from "./directory/proof.ts";
export { type RegistryProblem, readRegistry } from "./directory/registry.ts";
export { type ServedDirectory, serveDirectory } from "./directory/serve.ts";
export { type KeyProblem, type PublicJwk, type PublicKey, readPublicKey } from "./keys/public-key.ts";
export {
  type Ed25519PublicJwk,
  generateSigningKey,
  importSigningKey,
  type SigningKey,
  signingKeyOf,
} from "./keys/signing-key.ts";
export type { KeyAnswer, KeySource } from "./keys/source.ts";
export {
  DEFAULT_PROFILE,
  DIRECTORY_MEDIA_TYPE,
  DIRECTORY_PATH,
  DRAFT_VERSION,
  type DraftProfile,
  type PlainHttp,
  TAG,
} from "./profile.ts";
export { memoryNonces, type NonceStore, type NonceUse, nonceKey } from "./replay/nonce-store.ts";
export {
  type AddedHeaders,
  freshNonce,
  type SignerAgent,
  type SignOptions,
  type SignProblem,
  signatureHeaders,
  signRequest,
} from "./sign/signer.ts";
export type { Algorithm } from "./signatures/algorithm.ts";
export { type FieldLine, type HttpRequest, type HttpResponse, httpRequestOf } from "./signatures/message.ts";
export { acceptSignature } from "./verify/accept.ts";
export { type ActingProblem, mayActOn } from "./verify/acting.ts";
export {
  type InvalidReason,
  type InvalidSignature,
  type NonceState,
  type SignatureResult,
  type UnverifiedReason,
  type UnverifiedSignature,
  type Verification,
  type VerifiedSignature,
  verifiedOf,
} from "./verify/outcome.ts";
export { createVerifier, type Verifier, type VerifierOptions } from "./verify/verifier.ts";

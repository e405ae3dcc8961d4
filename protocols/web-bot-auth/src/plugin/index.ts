export { callerIdentity, findingOf } from "./caller.ts";
export { operatorKeys } from "./operator-keys.ts";
export {
  isAgentOrigin,
  verifierIn,
  WEB_BOT_AUTH,
  type WebBotAuth,
  type WebBotAuthSettings,
  webBotAuth,
  webBotAuthPlugin,
} from "./plugin.ts";
export {
  cimdExtensionPoint,
  directoryExtensionPoint,
  jwksUriExtensionPoint,
  type NonceStoreFactory,
  nonceStorePoint,
  type SignerKeys,
  signerPoint,
} from "./points.ts";
export { type StoreNonceOptions, storeNonces } from "./store-nonces.ts";
export { type RingEntry, type RotateProblem, type VaultKeys, vaultKeys } from "./vault-keys.ts";

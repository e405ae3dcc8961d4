export {
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
export type { RotateProblem, VaultKeys } from "./vault-keys.ts";

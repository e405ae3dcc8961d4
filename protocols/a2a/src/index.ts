export { KEYS_PATH } from "./card/served.ts";
export { credentialAt } from "./extensions/credentials.ts";
export {
  type A2aExtension,
  type CardExtension,
  type ClientExtension,
  isExtension,
  type ShownTask,
} from "./extensions/extension.ts";
export { extensionProblems } from "./extensions/judge.ts";
export { extensionUri, type UriProblem } from "./extensions/uri.ts";
export { type A2aBinding, a2aPlugin, a2aPluginWith } from "./plugin.ts";
export {
  FACE_URI,
  faceExtensionPoint,
  ORCHESTRATION_URI,
  orchestrationExtensionPoint,
  otherExtensionPoint,
} from "./points.ts";
export { type DoorOptions, openA2a } from "./server/binding.ts";
export { SIGNATURE_HEADER } from "./server/push-message.ts";
export { A2A_CARD_PATH, A2A_PATH, A2A_VERSIONS } from "./versions.ts";

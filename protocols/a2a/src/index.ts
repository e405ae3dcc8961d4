export { credentialAt } from "./extensions/credentials.ts";
export { type A2aExtension, type CardExtension, isExtension, type ShownTask } from "./extensions/extension.ts";
export { extensionProblems } from "./extensions/judge.ts";
export { extensionUri, isReserved, OWN_PREFIX, type UriProblem } from "./extensions/uri.ts";
export {
  FACE_URI,
  faceExtensionPoint,
  ORCHESTRATION_URI,
  orchestrationExtensionPoint,
  otherExtensionPoint,
} from "./points.ts";
export { A2A_CARD_PATH, A2A_PATH, A2A_VERSIONS } from "./versions.ts";

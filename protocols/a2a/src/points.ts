import { definePoint } from "@countersign/plugin";
import { OWN_EXTENSION_PREFIX } from "@countersign/profile";
import { type A2aExtension, isExtension } from "./extensions/extension.ts";
import { extensionProblems } from "./extensions/judge.ts";
import { extensionUri } from "./extensions/uri.ts";

/** The exact state of the gateway's task, which the eight states of the protocol cannot say. */
export const ORCHESTRATION_URI = `${OWN_EXTENSION_PREFIX}a2a:orchestration:1`;
/** The page where the account holder does what a task waits for. */
export const FACE_URI = `${OWN_EXTENSION_PREFIX}a2a:face:1`;

/** Published while somebody contributes it; our own contribution stands by default. */
export const orchestrationExtensionPoint = definePoint({
  id: "a2a.extension.orchestration",
  kind: "one",
  override: "declared",
  check: (v): v is A2aExtension => isOwn(v, ORCHESTRATION_URI),
});

/** Published while somebody contributes it; our own contribution stands by default. */
export const faceExtensionPoint = definePoint({
  id: "a2a.extension.face",
  kind: "one",
  override: "declared",
  check: (v): v is A2aExtension => isOwn(v, FACE_URI),
});

/** Any other extension, keyed by its URI in its plain form. */
export const otherExtensionPoint = definePoint({
  id: "a2a.extension.other",
  kind: "keyed",
  override: "declared",
  check: (v): v is A2aExtension => {
    if (!isExtension(v)) return false;
    const uri = extensionUri(v.uri);
    // Only the plain form is taken, so that the key of the point is the identity of the extension.
    return uri.ok && uri.value === v.uri && extensionProblems([{ ...v, whose: "others" }]).length === 0;
  },
});

/** Whoever takes the place of one of ours speaks under our identifier: what it means is fixed by it. */
function isOwn(v: unknown, uri: string): v is A2aExtension {
  return isExtension(v) && v.uri === uri && extensionProblems([{ ...v, whose: "own" }]).length === 0;
}

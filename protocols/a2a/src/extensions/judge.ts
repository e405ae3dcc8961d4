import { extensionKey, isReservedExtension, OWN_EXTENSION_PREFIX } from "@countersign/profile";
import type { Json } from "@countersign/wire";
import { credentialAt } from "./credentials.ts";
import { extensionUri } from "./uri.ts";

/** Whose an extension is: the gateway's own may stand under the reserved prefix, and nobody else's. */
export type Whose = "own" | "others";

export interface Published {
  readonly uri: string;
  readonly params?: Json;
  readonly whose: Whose;
}

/**
 * What is wrong with the extensions that one card would publish, in words that name a URI or a place and never a value.
 * A URI that stands twice is refused, however it is spelt, and whoever brought it (PLG-6).
 */
export function extensionProblems(extensions: readonly Published[]): readonly string[] {
  const seen = new Set<string>();
  return extensions.flatMap(({ uri, params, whose }): readonly string[] => {
    const problems: string[] = [];
    const read = extensionUri(uri);
    if (!read.ok) problems.push(`an extension's uri is an https URL or a urn, plainly written: ${shown(uri)}`);
    else {
      const key = extensionKey(read.value);
      if (whose === "others" && isReservedExtension(uri))
        problems.push(`${OWN_EXTENSION_PREFIX} is reserved for the gateway's own extensions: ${shown(uri)}`);
      if (seen.has(key)) problems.push(`the extension ${shown(uri)} stands on the card twice`);
      seen.add(key);
    }
    const at = credentialAt(params);
    if (at !== undefined)
      problems.push(`the params of ${shown(uri)} hold what looks like a credential, at ${shown(at)}; a card is public`);
    return problems;
  });
}

const SHOWN_CHARS_MAX = 200;

/** An identifier or a path in a message: printable and bounded. */
function shown(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, "?").slice(0, SHOWN_CHARS_MAX);
}

import { extensionKey } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { credentialAt } from "../../extensions/credentials.ts";
import type { ClientExtension } from "../../extensions/extension.ts";
import { extensionUri } from "../../extensions/uri.ts";
import { type CardProblem, cardProblem } from "./problem.ts";
import type { CardExtension } from "./shape.ts";

export interface Negotiated {
  /** Sent with every request about this card's agent (a2a.md section 6, rule 4), in the order of the card. */
  readonly activate: readonly ClientExtension[];
  /** Those that the agent must say it has activated. */
  readonly required: readonly string[];
}

const AT = "/capabilities/extensions";

/**
 * Rules 1 to 3 for the extensions of a card (a2a.md section 6): each URI absolute and there once, nothing that looks like
 * a credential, and each required one spoken here in exactly that version. An optional one that is not spoken, or whose
 * parameters make no sense, is left alone.
 */
export function negotiate(
  extensions: readonly CardExtension[],
  spoken: readonly ClientExtension[],
): Result<Negotiated, CardProblem> {
  const seen = new Set<string>();
  for (const [index, { uri, params }] of extensions.entries()) {
    const plain = extensionUri(uri);
    if (!plain.ok) return err(cardProblem("extension_uri", `${AT}/${index}/uri`));
    const key = extensionKey(plain.value);
    if (seen.has(key)) return err(cardProblem("extension_twice", plain.value));
    seen.add(key);
    const credential = credentialAt(params, `${AT}/${index}/params`);
    if (credential !== undefined) return err(cardProblem("credential_in_params", credential));
  }
  const activate: ClientExtension[] = [];
  for (const { uri, params, required } of extensions) {
    // By the text as it stands: another spelling is another identifier to whoever compares it at the other end.
    const own = spoken.find((each) => each.uri === uri);
    const fits = own?.accepts(params) === true;
    if (required && own === undefined) return err(cardProblem("extension_required", uri));
    if (required && !fits) return err(cardProblem("extension_params", uri));
    if (own !== undefined && fits) activate.push(own);
  }
  return ok({ activate, required: extensions.filter(({ required }) => required).map(({ uri }) => uri) });
}

import { PATH_NAME_CHARS_MAX } from "./limits.ts";

/** Why a foreign card is not acted on. */
export type CardProblemCode =
  | "unreachable"
  | "not_json"
  | "too_large"
  | "malformed"
  /** No signature, where one is asked for. */
  | "unsigned"
  /** Signatures, and none by a key that is trusted here. */
  | "bad_signature"
  /** What decides about security stands outside of what was signed. */
  | "unsigned_member"
  /** A way to call without proving who calls. */
  | "anonymous_alternative"
  /** It wants credentials of a sort that is not given here. */
  | "security_scheme"
  | "extension_uri"
  | "extension_twice"
  | "credential_in_params"
  | "extension_required"
  | "extension_params"
  /** No interface that is spoken here. */
  | "no_interface"
  /** Interfaces, and none at an origin that may be called. */
  | "interface_origin"
  /** Less safe than the card that was taken before: the operator decides. */
  | "downgrade";

/** `at` names a place in the card or an extension's URI, never a value. */
export interface CardProblem {
  readonly code: CardProblemCode;
  readonly at?: string;
}

export function cardProblem(code: CardProblemCode, at?: string): CardProblem {
  return at === undefined ? { code } : { code, at };
}

/** A JSON pointer (RFC 6901) one step further; names are cut, since whoever wrote the card chose them. */
export function stepTo(path: string, name: string | number): string {
  const text = String(name).slice(0, PATH_NAME_CHARS_MAX);
  return `${path}/${text.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

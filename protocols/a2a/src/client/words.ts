import type { CardProblem } from "../card/read/problem.ts";

/** Why an agent is not called, for the person and the log; names of extensions and places, never a value. */
export function cardSentence({ code, at }: CardProblem): string {
  const where = at === undefined ? "" : ` (${at})`;
  switch (code) {
    case "unreachable":
    case "not_json":
    case "too_large":
    case "malformed":
      return `this agent's card cannot be read${where}`;
    case "unsigned":
      return "this agent's card is not signed";
    case "bad_signature":
      return "this agent's card is not signed by a key that is trusted here";
    case "unsigned_member":
      return `a part of this agent's card that matters is not covered by its signature${where}`;
    case "anonymous_alternative":
      return `this agent lets anybody in${where}`;
    case "security_scheme":
      return `this agent asks for credentials that are not given here${where}`;
    case "extension_uri":
    case "extension_twice":
      return `this agent's card names its extensions in a way that cannot be relied on${where}`;
    case "credential_in_params":
      return `this agent's card holds what looks like a credential${where}`;
    case "extension_required":
      return `this agent requires an extension that is not spoken here${where}`;
    case "extension_params":
      return `this agent requires an extension with parameters that make no sense here${where}`;
    case "no_interface":
      return "this agent cannot be reached by a way that is spoken here";
    case "interface_origin":
      return "this agent's card leads to an address that is not its own";
    case "downgrade":
      return `this agent's card has become less safe; the operator of this gateway has to look at it${where}`;
  }
}

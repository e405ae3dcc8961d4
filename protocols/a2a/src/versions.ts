/** Versions of the protocol that are spoken (Major.Minor). */
export const A2A_VERSIONS: readonly string[] = ["1.0"];
/** The path under which both bindings stand; with the issuer before it, the resource that tokens are for. */
export const A2A_PATH = "/a2a";
/** Where the card is found. */
export const A2A_CARD_PATH = "/.well-known/agent-card.json";

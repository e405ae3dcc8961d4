// The parts of the route, for the official suite, which knows neither bindings nor people.
export { fromMaterial } from "./oauth/material.ts";
export { oauthSignIn } from "./oauth/sign-in.ts";
export { createTokens } from "./oauth/tokens.ts";
export { openMcpSession } from "./session.ts";

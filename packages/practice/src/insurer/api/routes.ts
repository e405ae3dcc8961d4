import type { InsurerRoute } from "../route.ts";
import { listClaims, listPolicies, makeQuote, showClaim, showQuote, submitClaim } from "./claims.ts";
import { endSession, proveSession, showSession, startSession } from "./session.ts";

const anyone = { access: "anyone" } as const;
const signedIn = { access: "signed_in" } as const;
const readBack = { access: "signed_in", readBack: "read_back" } as const;

/** The API of the insurer's own app: the session cookie of the pages, and a token for what changes something. */
export const insurerApiRoutes: readonly InsurerRoute[] = [
  { method: "POST", path: "/api/session", ...anyone, handle: startSession },
  { method: "POST", path: "/api/session/code", ...anyone, handle: proveSession },
  { method: "GET", path: "/api/session", ...signedIn, handle: showSession },
  { method: "DELETE", path: "/api/session", ...signedIn, handle: endSession },
  { method: "GET", path: "/api/policies", ...signedIn, handle: listPolicies },
  { method: "POST", path: "/api/claim-quotes", ...signedIn, handle: makeQuote },
  { method: "GET", path: "/api/claim-quotes/:quote", ...signedIn, handle: showQuote },
  { method: "POST", path: "/api/claims", ...signedIn, commit: "claim", handle: submitClaim },
  { method: "GET", path: "/api/claims", ...readBack, handle: listClaims },
  { method: "GET", path: "/api/claims/:number", ...readBack, handle: showClaim },
];

/**
 * What stands on every answer of the server, whatever it is: a page, a refusal, a redirect, an answer to something that
 * is no request at all (U36). Nothing may be framed, guessed at, cached, embedded elsewhere, or opened with a handle on
 * the window that opened it; and no address is told to anybody.
 */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

const HSTS_SECONDS = 365 * 86_400;

/** For an answer that is no page: it may load and run nothing even when somebody opens it as one. */
export const NO_PAGE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox",
].join("; ");

export function securityHeaders(issuer: string): HeaderPairs {
  return [
    ["content-security-policy", NO_PAGE_POLICY],
    ["x-frame-options", "DENY"],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["cross-origin-embedder-policy", "require-corp"],
    ["origin-agent-cluster", "?1"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()"],
    ["cache-control", "no-store"],
    // A host that is named once over TLS is never asked without it again.
    ...(issuer.startsWith("https:") ? ([["strict-transport-security", `max-age=${HSTS_SECONDS}`]] as const) : []),
  ];
}

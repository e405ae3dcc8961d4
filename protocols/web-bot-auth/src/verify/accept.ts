import { TAG } from "../profile.ts";
import type { HttpRequest } from "../signatures/message.ts";

/**
 * `Accept-Signature` (RFC 9421 section 5) for a request that did not show enough: what its signature has to cover so
 * that it may be acted on, and the parameters that the draft demands. The answer that carries it has status 403.
 */
export function acceptSignature({ url, body }: Pick<HttpRequest, "url" | "body">): string {
  const covered = [
    '"@method"',
    '"@authority"',
    '"@path"',
    ...(url.includes("?") ? ['"@query"'] : []),
    ...(body === undefined || body.length > 0 ? ['"content-digest"'] : []),
    '"signature-agent";key="sig1"',
  ];
  return `sig1=(${covered.join(" ")});created;expires;tag="${TAG}"`;
}

import type { FastifyRequest } from "fastify";
import type { PresentedProof } from "../oauth/proof.ts";

/** What a request shows beside its token, by our own name: what came as `Host` says nothing. */
export function presentedProof(issuer: string, request: FastifyRequest): PresentedProof {
  const { dpop } = request.headers;
  return {
    header: typeof dpop === "string" ? dpop : undefined,
    method: request.method,
    url: `${issuer}${request.url.split("?", 1)[0] ?? ""}`,
  };
}

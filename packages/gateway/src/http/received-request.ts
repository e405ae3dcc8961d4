import type { ReceivedRequest } from "@countersign/plugin";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../admission/caller.ts";
import type { CallingIdentity } from "../calling-identity/judge.ts";
import { sendProblem } from "./problems.ts";

/** Where nobody asks who operates an agent, the caller as the token made it; undefined once the request is refused. */
export async function identifiedCaller(
  { issuer, calling }: { readonly issuer: string; readonly calling: CallingIdentity | undefined },
  caller: Caller,
  at: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Caller | undefined> {
  if (calling === undefined) return caller;
  const identified = await calling.identified(caller, receivedRequest(issuer, at.request));
  if (identified.ok) return identified.value;
  const { accepts, refusal } = identified.reason;
  if (accepts !== "") at.reply.header("accept-signature", accepts);
  sendProblem(at.reply, refusal);
  return undefined;
}

/** As it came, under our own name. */
function receivedRequest(issuer: string, request: FastifyRequest): ReceivedRequest {
  const { rawHeaders } = request.raw;
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : []));
  const body = bodyOf(request);
  return {
    method: request.method,
    url: `${issuer}${request.url}`,
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

/** Content that nobody read, as under a GET, is not taken for none. */
function bodyOf({ body, headers }: FastifyRequest): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  const hasContent = headers["transfer-encoding"] !== undefined || !/^0*$/.test(headers["content-length"] ?? "");
  return hasContent ? undefined : new Uint8Array();
}

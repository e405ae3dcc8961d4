import type { IncomingMessage } from "node:http";
import { acceptSignature, createVerifier, directoryKeys, mayActOn, verifiedOf } from "@countersign/web-bot-auth";
import { type Answer, json, page } from "../http/reply.ts";
import { CALLERS_SEEN_MAX } from "../limits.ts";
import { fetchHere } from "./fetch-here.ts";

// A site that wants to know which operator's agent calls: it reads Web Bot Auth with a verifier of its own, which shares
// nothing with the gateway. What it asks for can be switched while it runs; whom it has seen can be read.

/** `api`: of every call of the JSON API. `everywhere`: of pages and their parts too, so that no person comes in. */
export type SignatureDemand = "off" | "api" | "everywhere";
export const DEMANDS: readonly SignatureDemand[] = ["off", "api", "everywhere"];

/** Who called, as far as the request shows it. */
export type SeenCaller =
  | { readonly outcome: "verified"; readonly agent: string; readonly keyId: string }
  | { readonly outcome: "unsigned" }
  | { readonly outcome: "unverified" | "invalid"; readonly reason: string };

/** One request and who sent it; without query, header or content. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly caller: SeenCaller;
  readonly refused: boolean;
}

export interface Callers {
  demand(what: SignatureDemand): void;
  /** Oldest first. */
  seen(): readonly SeenCall[];
  /** The refusal, or the answer to whoever asks how they are seen; undefined for a request that goes on. */
  meet(request: IncomingMessage, body: string): Promise<Answer | undefined>;
  /** `GET /callers`, `POST /signatures/DEMAND` of the control port; undefined for anything else. */
  answerControl(request: IncomingMessage): Answer | undefined;
}

/** Where anybody may ask how the site sees them. */
const MIRROR = "/api/v1/caller";

export function createCallers(options: {
  readonly demand: SignatureDemand;
  readonly now: () => number;
  /** The site's own origin; what comes as `Host` says nothing. */
  readonly origin: () => string;
}): Callers {
  const verifier = createVerifier({
    now: options.now,
    keys: directoryKeys({ fetch: fetchHere, now: options.now, plainHttp: "loopback" }),
    plainHttp: "loopback",
  });
  const seen: SeenCall[] = [];
  let demanded = options.demand;

  const judge = async (request: IncomingMessage, body: string): Promise<SeenCaller> => {
    const { method = "GET", rawHeaders } = request;
    const { results, ...verification } = await verifier.verify({
      method,
      url: `${options.origin()}${request.url ?? "/"}`,
      headers: rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : [])),
      body: new TextEncoder().encode(body),
    });
    const [signature] = verifiedOf({ results, ...verification });
    if (signature !== undefined) {
      const acts = mayActOn(signature);
      if (acts.ok || method === "GET" || method === "HEAD")
        return { outcome: "verified", agent: signature.identifier, keyId: signature.keyId };
      return { outcome: "unverified", reason: acts.reason };
    }
    const failed = results.find((result) => result.outcome === verification.outcome);
    return failed === undefined || failed.outcome === "verified"
      ? { outcome: "unsigned" }
      : { outcome: failed.outcome, reason: failed.reason };
  };

  return {
    demand: (what) => {
      demanded = what;
    },
    seen: () => [...seen],
    async meet(request, body) {
      const { method = "GET", url = "/" } = request;
      const path = url.split("?", 1)[0] ?? "/";
      const isApi = path.startsWith("/api/");
      const isMirror = path === MIRROR && method === "GET";
      const isAsked = demanded === "everywhere" || (demanded === "api" && isApi);
      // Nobody's signature is checked for nothing: each costs a digest, and its nonce is kept.
      if (!isAsked && !isMirror) return undefined;
      const caller = await judge(request, body);
      const refused = isAsked && caller.outcome !== "verified";
      seen.push({ method, path, caller, refused });
      if (seen.length > CALLERS_SEEN_MAX) seen.shift();
      if (!refused) return isMirror ? json(200, { caller: wire(caller) }) : undefined;
      const headers = {
        "accept-signature": acceptSignature({ url, body: new TextEncoder().encode(body) }),
      };
      const message = "Requests have to be signed by whoever operates the agent.";
      return isApi
        ? json(403, { error: "signature_required", message, caller: wire(caller) }, headers)
        : page(403, `<h1>Signature needed</h1><p>${message}</p>`, headers);
    },
    answerControl({ method, url, headers }) {
      const asked = `${method} ${url}`;
      const found = DEMANDS.find((demand) => asked === `POST /signatures/${demand}`);
      if (found === undefined && asked !== "GET /callers") return undefined;
      // A page that the person happens to have open must not work the switches.
      if (headers.origin !== undefined) return json(403, { error: "forbidden" });
      if (found !== undefined) {
        demanded = found;
        return json(200, { demand: found });
      }
      return json(200, { callers: seen.map(({ caller, ...call }) => ({ ...call, caller: wire(caller) })) });
    },
  };
}

function wire(caller: SeenCaller): object {
  return caller.outcome === "verified"
    ? { outcome: caller.outcome, agent: caller.agent, key_id: caller.keyId }
    : caller;
}

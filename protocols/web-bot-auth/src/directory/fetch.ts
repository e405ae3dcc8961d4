import { err, ok, type Result } from "@countersign/wire";
import type { DocumentFormat } from "../agent/discovery.ts";
import { DOCUMENT_MAX_BYTES, FETCH_MS } from "../limits.ts";
import { DIRECTORY_MEDIA_TYPE } from "../profile.ts";

/**
 * How anything is fetched here: given by the caller, because only the caller can guard it. It must follow no redirect and
 * must refuse addresses that are not public, checked where the connection is made (a name can be made to point anywhere).
 * Countersign's egress does; on an edge runtime, the platform's own `fetch` does, with `redirect: "manual"`.
 */
export type GuardedFetch = (request: Request) => Promise<Response>;

export type FetchProblem = "unreachable" | "too_slow" | "status" | "media_type" | "too_large";

export type Fetched =
  | { readonly kind: "document"; readonly body: Uint8Array; readonly headers: Headers }
  /** What we hold is what there is. */
  | { readonly kind: "unchanged"; readonly headers: Headers };

export interface FetchFailure {
  readonly problem: FetchProblem;
  readonly retryAfter: string | null;
}

const MEDIA_TYPES: Readonly<Record<DocumentFormat, readonly string[]>> = {
  // The draft: MUST at the well-known path.
  well_known: [DIRECTORY_MEDIA_TYPE],
  jwks: [DIRECTORY_MEDIA_TYPE, "application/jwk-set+json", "application/json"],
  card: ["application/json", "application/client-metadata+json"],
};

/** One GET without cookies, credentials or redirects; 200 alone counts, up to 64 KiB, in five seconds. Never throws. */
export async function fetchDocument(
  fetch: GuardedFetch,
  { url, format, etag }: { readonly url: string; readonly format: DocumentFormat; readonly etag?: string },
): Promise<Result<Fetched, FetchFailure>> {
  const timeout = AbortSignal.timeout(FETCH_MS);
  const headers = new Headers({ accept: `${MEDIA_TYPES[format][0]}, application/json` });
  if (etag !== undefined) headers.set("if-none-match", etag);
  const late = new Promise<"late">((resolve) =>
    timeout.addEventListener("abort", () => resolve("late"), { once: true }),
  );
  const work = async (): Promise<Result<Fetched, FetchFailure>> => {
    const request = new Request(url, { headers, redirect: "manual", credentials: "omit", signal: timeout });
    return readAnswer(await fetch(request), format, etag);
  };
  // A fetch that does not heed the signal is not waited for either.
  const answer = await Promise.race([work().catch(() => failed("unreachable")), late]);
  return answer === "late" ? failed("too_slow") : answer;
}

async function readAnswer(
  response: Response,
  format: DocumentFormat,
  etag: string | undefined,
): Promise<Result<Fetched, FetchFailure>> {
  const { status, headers } = response;
  if (status === 304 && etag !== undefined) return ok({ kind: "unchanged", headers });
  if (status !== 200) {
    await response.body?.cancel();
    return failed("status", headers.get("retry-after"));
  }
  const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!MEDIA_TYPES[format].includes(type)) {
    await response.body?.cancel();
    return failed("media_type");
  }
  const body = await readBounded(response);
  return body === undefined ? failed("too_large") : ok({ kind: "document", body, headers });
}

async function readBounded(response: Response): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > DOCUMENT_MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}

function failed(problem: FetchProblem, retryAfter: string | null = null) {
  return err({ problem, retryAfter });
}

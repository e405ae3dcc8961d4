import type { Fetch, Log } from "@countersign/plugin";
import { err, ok, type Result } from "@countersign/wire";
import type { Db } from "../store/store.ts";
import { within } from "../time/within.ts";
import { type ClientDocument, type DocumentRules, documentUrl, readClientDocument } from "./client-document.ts";
import {
  CLIENT_DOCUMENT_AGAIN_MS,
  CLIENT_DOCUMENT_FAILURES_KEPT,
  CLIENT_DOCUMENT_FRESH_MAX_MS,
  CLIENT_DOCUMENT_FRESH_MIN_MS,
  CLIENT_DOCUMENT_MS,
  CLIENT_DOCUMENT_STALE_MS,
  CLIENT_DOCUMENTS_AT_ONCE,
  CLIENT_DOCUMENTS_PER_MINUTE,
} from "./limits.ts";

export interface ClientDocumentsDeps {
  /** The guarded way out: no address that is not public, no redirect. */
  readonly fetch: Fetch;
  readonly rules: DocumentRules;
  readonly now: () => number;
  readonly log: Log;
}

/** Only where a client asks for something new is an address worth a look that nobody has named before. */
export type UnknownClients = "looked_at" | "ignored";

export interface ClientDocuments {
  /** The document of a client, kept or fetched; undefined when the id is no address, or there is none that counts. */
  find(db: Db, clientId: string, unknown: UnknownClients): Promise<ClientDocument | undefined>;
}

type Fetched = Result<{ readonly text: string; readonly freshMs: number }, "gone" | "unavailable">;

/**
 * Keeps documents in the store: one that was good counts on through an outage of its server, a changed one counts at
 * the next look, and one that is gone or became invalid ends there. Anybody who reaches the authorization endpoint can
 * name an address, so looks are few: one at a time for each address, some in a minute for all, and none soon after a
 * failure. Two gateways may both look; the later answer stands.
 */
export function createClientDocuments(deps: ClientDocumentsDeps): ClientDocuments {
  const { rules, now } = deps;
  const underWay = new Map<string, Promise<Fetched>>();
  const failedAt = new Map<string, number>();
  let began: readonly number[] = [];

  const mayLook = (clientId: string): boolean => {
    const failed = failedAt.get(clientId);
    if (failed !== undefined && now() - failed < CLIENT_DOCUMENT_AGAIN_MS) return false;
    began = began.filter((at) => now() - at < 60_000);
    return began.length < CLIENT_DOCUMENTS_PER_MINUTE && underWay.size < CLIENT_DOCUMENTS_AT_ONCE;
  };
  const look = async (url: URL, clientId: string): Promise<Fetched> => {
    const already = underWay.get(clientId);
    if (already !== undefined) return already;
    if (!mayLook(clientId)) return err("unavailable");
    began = [...began, now()];
    const look = fetchDocument(deps, url).finally(() => underWay.delete(clientId));
    underWay.set(clientId, look);
    const fetched = await look;
    failedAt.delete(clientId);
    if (!fetched.ok) noteFailure(failedAt, clientId, now());
    return fetched;
  };
  const refuse = (why: string): undefined => {
    // Neither address nor content: both are a stranger's text (U52).
    deps.log.info("oauth.client_document_refused", { why });
    return undefined;
  };

  return {
    async find(db, clientId, unknown) {
      const url = documentUrl(clientId, rules);
      if (url === undefined) return undefined;
      const kept = await db
        .selectFrom("client_document")
        .selectAll()
        .where("client_url", "=", clientId)
        .executeTakeFirst();
      if (kept !== undefined && now() < kept.fresh_until) return parsed(clientId, kept.document, refuse);
      if (kept === undefined && unknown === "ignored") return undefined;
      const fetched = await look(url, clientId);
      if (!fetched.ok) {
        const usable =
          fetched.reason === "unavailable" && kept !== undefined && now() - kept.fetched_at < CLIENT_DOCUMENT_STALE_MS;
        if (usable) return parsed(clientId, kept.document, refuse);
        if (kept !== undefined) await forget(db, clientId);
        return refuse(fetched.reason);
      }
      const document = parsed(clientId, fetched.value.text, refuse);
      if (document === undefined) {
        noteFailure(failedAt, clientId, now());
        if (kept !== undefined) await forget(db, clientId);
        return undefined;
      }
      const row = {
        document: fetched.value.text,
        fetched_at: now(),
        fresh_until: now() + fetched.value.freshMs,
      };
      await db
        .insertInto("client_document")
        .values({ client_url: clientId, ...row })
        .onConflict((conflict) => conflict.column("client_url").doUpdateSet(row))
        .execute();
      return document;
    },
  };
}

function parsed(clientId: string, text: string, refuse: (why: string) => undefined): ClientDocument | undefined {
  const document = readClientDocument(clientId, new TextEncoder().encode(text));
  return document.ok ? document.value : refuse(document.reason);
}

async function forget(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom("client_document").where("client_url", "=", clientId).execute();
}

function noteFailure(failedAt: Map<string, number>, clientId: string, at: number): void {
  failedAt.delete(clientId);
  failedAt.set(clientId, at);
  const [oldest] = failedAt.keys();
  if (failedAt.size > CLIENT_DOCUMENT_FAILURES_KEPT && oldest !== undefined) failedAt.delete(oldest);
}

async function fetchDocument(deps: ClientDocumentsDeps, url: URL): Promise<Fetched> {
  let response: Response;
  let text: string;
  try {
    const request = new Request(url, { headers: { accept: "application/json" }, redirect: "manual" });
    response = await within(CLIENT_DOCUMENT_MS, deps.fetch(request));
    text = await within(CLIENT_DOCUMENT_MS, response.text());
  } catch {
    return err("unavailable");
  }
  if (response.status === 200) return ok({ text, freshMs: freshFor(response.headers.get("cache-control")) });
  // A redirect is an answer: the client's address is the one that it named.
  return err(response.status >= 500 || response.status === 429 ? "unavailable" : "gone");
}

function freshFor(cacheControl: string | null): number {
  const seconds = /(?:^|[,\s])max-age=(\d{1,9})(?:$|[,\s])/i.exec(cacheControl ?? "")?.[1];
  const asked = /no-store|no-cache/i.test(cacheControl ?? "") ? 0 : Number(seconds ?? 0) * 1000;
  return Math.min(CLIENT_DOCUMENT_FRESH_MAX_MS, Math.max(CLIENT_DOCUMENT_FRESH_MIN_MS, asked));
}

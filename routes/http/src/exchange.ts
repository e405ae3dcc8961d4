import { type Ctx, SiteTrouble } from "@countersign/plugin";
import { type Json, parseJson } from "@countersign/wire";
import type { Credential } from "./credential.ts";
import { ANSWER_JSON_BYTES_MAX, ANSWER_JSON_DEPTH_MAX } from "./limits.ts";
import type { AnswerHead } from "./tokens.ts";

export interface Outgoing {
  readonly method: string;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as a form, as token endpoints take it. Never beside a body. */
  readonly form?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A whole answer. `json` is absent when the body is no strict JSON within the limits. */
export interface Exchanged {
  readonly status: number;
  readonly json?: Json;
}

/** The same with what stood beside the body. */
export interface WholeExchange {
  readonly answer: Exchanged;
  readonly head: AnswerHead;
  readonly headers: Headers;
}

/**
 * One request through the one egress, with the signatures of whoever proves who is calling, its answer read as strict JSON.
 * @throws SiteTrouble when no whole answer came back; the cause may quote the request, so it is not kept.
 */
export async function wholeExchange(
  ctx: Ctx,
  url: URL,
  outgoing: Outgoing,
  credential: Credential | undefined,
): Promise<WholeExchange> {
  const headers = new Headers({ accept: "application/json" });
  if (outgoing.body !== undefined) headers.set("content-type", "application/json");
  if (outgoing.form !== undefined) headers.set("content-type", "application/x-www-form-urlencoded");
  for (const [name, value] of Object.entries(outgoing.headers ?? {})) headers.set(name, value);
  // Last: no header of an adapter takes its place.
  if (credential !== undefined) headers.set(credential.header, credential.value.reveal());
  const request = new Request(url, {
    method: outgoing.method,
    headers,
    // The egress follows nothing; said here too, so that no other `fetch` would carry the credential along.
    redirect: "manual",
    ...(outgoing.body === undefined ? {} : { body: JSON.stringify(outgoing.body) }),
    ...(outgoing.form === undefined ? {} : { body: outgoing.form.toString() }),
  });
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await ctx.fetch(await ctx.withIdentity(request));
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new SiteTrouble("the site's API gave no whole answer");
  }
  const parsed = parseJson(bytes, { maxBytes: ANSWER_JSON_BYTES_MAX, maxDepth: ANSWER_JSON_DEPTH_MAX });
  const { status, headers: said } = response;
  const location = said.get("location");
  return {
    answer: parsed.ok ? { status, json: parsed.value } : { status },
    head: { status, url, setCookies: said.getSetCookie(), ...(location === null ? {} : { location }) },
    headers: said,
  };
}

/** The same where only the body counts. */
export async function exchange(...asked: Parameters<typeof wholeExchange>): Promise<Exchanged> {
  return (await wholeExchange(...asked)).answer;
}

import { isJsonObject, type JsonObject } from "@countersign/wire";
import { SuiteTrouble } from "../check.ts";
import { call } from "../http.ts";

export interface PageAnswer {
  readonly status: number;
  readonly body: JsonObject;
  readonly text: string;
}

/** The trusted interface's own page as its server sees it: the session's cookie, its origin, its header. */
export interface Page {
  readonly cookie: string;
  get(path: string): Promise<PageAnswer>;
  post(path: string, body?: JsonObject): Promise<PageAnswer>;
  /** A POST as the page sends it, with the session apart. */
  door(
    path: string,
    body: JsonObject,
  ): { readonly url: string; readonly headers: Record<string, string>; readonly body: string };
}

export interface PageSettings {
  readonly gateway: string;
  readonly issuer: string;
}

/** Spends a one-time link and answers the signed-in page. */
export async function openPage(settings: PageSettings, linkToken: string): Promise<Page> {
  const answer = await call({
    method: "POST",
    url: urlOf(settings, "/session"),
    headers: pageHeaders(settings),
    body: JSON.stringify({ link_token: linkToken }),
  });
  const [cookie, pageCookie = ""] = answer.cookies.map((line) => line.split(";")[0]);
  if (answer.status !== 204 || cookie === undefined)
    throw new SuiteTrouble(`the sign-in link was not taken: the gateway answered ${answer.status}`);
  const headers = pageHeaders(settings, pageCookie.slice(pageCookie.indexOf("=") + 1));
  const send = async (method: "GET" | "POST", path: string, body?: JsonObject): Promise<PageAnswer> => {
    const raw = await call({
      method,
      url: urlOf(settings, path),
      headers: { ...headers, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = raw.json !== undefined && isJsonObject(raw.json) ? raw.json : {};
    return { status: raw.status, body: json, text: raw.text };
  };
  return {
    cookie,
    get: (path) => send("GET", path),
    post: (path, body = {}) => send("POST", path, body),
    door: (path, body) => ({ url: urlOf(settings, path), headers, body: JSON.stringify(body) }),
  };
}

function urlOf({ gateway }: PageSettings, path: string): string {
  return new URL(`/trusted/v1${path}`, gateway).href;
}

function pageHeaders({ issuer }: PageSettings, token = "1"): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-countersign": token,
    origin: issuer,
    "sec-fetch-site": "same-origin",
  };
}

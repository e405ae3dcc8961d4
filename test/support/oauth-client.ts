import http from "node:http";
import { assert, type JsonObject } from "@countersign/wire";
import * as oauth from "oauth4webapi";
import { type Reply, send } from "./http.ts";
import { type Person, pageHeaders } from "./person.ts";

/** An independent OAuth client: everything it knows of the gateway is the gateway's address. */
const INSECURE = { [oauth.allowInsecureRequests]: true } as const;
export const LOOPBACK_REDIRECT = "http://127.0.0.1:49152/callback";

export interface DocumentServer {
  /** The client's id: the address of its document. */
  readonly clientId: string;
  document: JsonObject;
  /** What it answers instead, when a number. */
  status: number;
  readonly asked: string[];
  close(): Promise<void>;
}

/** Where a client publishes its metadata document. */
export async function serveDocument(change: JsonObject = {}): Promise<DocumentServer> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? "");
    response.statusCode = site.status;
    response.setHeader("content-type", "application/json");
    response.end(site.status === 200 ? JSON.stringify(site.document) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const clientId = `http://localhost:${address.port}/client.json`;
  const site: DocumentServer = {
    clientId,
    document: {
      client_id: clientId,
      client_name: "Errand helper",
      redirect_uris: ["http://127.0.0.1/callback"],
      ...change,
    },
    status: 200,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return site;
}

/** A person's browser: it follows the gateway's redirects, keeps its cookies, and shows them where they belong. */
export class Browser {
  readonly #issuer: string;
  readonly #person: Person | undefined;
  readonly cookies: { readonly name: string; readonly value: string; readonly path: string }[] = [];

  constructor(issuer: string, person?: Person) {
    this.#issuer = issuer;
    this.#person = person;
  }

  /** A navigation, as a click on a link makes it. */
  async open(url: string): Promise<Reply> {
    const { pathname, search } = new URL(url, this.#issuer);
    const cookie = this.#cookiesFor(pathname);
    const reply = await send(this.#issuer, "GET", pathname + search, {
      headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }) },
    });
    this.#keep(reply, pathname);
    return reply;
  }

  get(path: string): Promise<Reply> {
    return send(this.#issuer, "GET", `/trusted/v1${path}`, { headers: this.#pageHeaders(path) });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return send(this.#issuer, "POST", `/trusted/v1${path}`, {
      headers: { ...this.#pageHeaders(path), ...headers },
      body: JSON.stringify(body),
    });
  }

  #pageHeaders(path: string): Record<string, string> {
    const cookie = [this.#person?.cookie ?? "", this.#cookiesFor(`/trusted/v1${path}`)].filter((c) => c !== "");
    return { ...pageHeaders(this.#issuer, this.#person?.pageToken), cookie: cookie.join("; ") };
  }

  #cookiesFor(path: string): string {
    return this.cookies
      .filter((c) => path === c.path || path.startsWith(c.path.endsWith("/") ? c.path : `${c.path}/`))
      .map((c) => `${c.name}=${c.value}`)
      .join("; ");
  }

  #keep(reply: Reply, at: string): void {
    for (const line of reply.headers["set-cookie"] ?? []) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      const path = attributes.find((a) => a.toLowerCase().startsWith("path="))?.slice(5) ?? at;
      const there = this.cookies.findIndex((c) => c.name === name && c.path === path);
      if (there >= 0) this.cookies.splice(there, 1);
      if (!/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.cookies.push({ name, value, path });
    }
  }
}

export interface Begun {
  readonly url: string;
  readonly verifier: string;
  readonly state: string;
}

export class OAuthClient {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly redirectUri: string;

  private constructor(server: oauth.AuthorizationServer, clientId: string, redirectUri: string) {
    this.server = server;
    this.client = { client_id: clientId, token_endpoint_auth_method: "none" };
    this.redirectUri = redirectUri;
  }

  static async discover(issuer: string, clientId: string, redirectUri = LOOPBACK_REDIRECT): Promise<OAuthClient> {
    const url = new URL(issuer);
    const response = await oauth.discoveryRequest(url, { ...INSECURE, algorithm: "oauth2" });
    return new OAuthClient(await oauth.processDiscoveryResponse(url, response), clientId, redirectUri);
  }

  /** The address to send the browser to. A change of `undefined` leaves a parameter out. */
  async begin(change: Readonly<Record<string, string | undefined>> = {}): Promise<Begun> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(this.server.authorization_endpoint ?? "");
    const parameters = {
      client_id: this.client.client_id,
      redirect_uri: this.redirectUri,
      response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      ...change,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return { url: url.href, verifier, state };
  }

  /** What came back to the client's address, judged as a client must (state, RFC 9207 `iss`). */
  callback(location: string, state: string): URLSearchParams {
    return oauth.validateAuthResponse(this.server, this.client, new URL(location), state);
  }

  redeemRaw(parameters: URLSearchParams, verifier: string, change: Redeem = {}): Promise<Response> {
    return oauth.authorizationCodeGrantRequest(
      this.server,
      this.client,
      oauth.None(),
      parameters,
      change.redirectUri ?? this.redirectUri,
      verifier,
      {
        ...INSECURE,
        ...(change.resource === undefined ? {} : { additionalParameters: { resource: change.resource } }),
        ...(change.dpop === undefined ? {} : { DPoP: change.dpop }),
      },
    );
  }

  async redeem(
    parameters: URLSearchParams,
    verifier: string,
    change: Redeem = {},
  ): Promise<oauth.TokenEndpointResponse> {
    const response = await this.redeemRaw(parameters, verifier, change);
    return oauth.processAuthorizationCodeResponse(this.server, this.client, response);
  }

  async refresh(token: string): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.refreshTokenGrantRequest(this.server, this.client, oauth.None(), token, INSECURE);
    return oauth.processRefreshTokenResponse(this.server, this.client, response);
  }

  async revoke(token: string): Promise<void> {
    const response = await oauth.revocationRequest(this.server, this.client, oauth.None(), token, INSECURE);
    await oauth.processRevocationResponse(response);
  }

  async push(begun: Begun): Promise<string> {
    const parameters = new URL(begun.url).searchParams;
    const response = await oauth.pushedAuthorizationRequest(
      this.server,
      this.client,
      oauth.None(),
      parameters,
      INSECURE,
    );
    const { request_uri: uri } = await oauth.processPushedAuthorizationResponse(this.server, this.client, response);
    const url = new URL(this.server.authorization_endpoint ?? "");
    url.searchParams.set("client_id", this.client.client_id);
    url.searchParams.set("request_uri", uri);
    return url.href;
  }
}

export interface Redeem {
  readonly redirectUri?: string;
  readonly resource?: string;
  readonly dpop?: oauth.DPoPHandle;
}

/** The reference of the page that a redirect leads to. */
export function pageRef(reply: Reply): string {
  const { pathname } = new URL(String(reply.headers.location), "http://x");
  assert(reply.status === 303 && pathname.startsWith("/authorize/"), `the page of ours: ${reply.status} ${pathname}`);
  return pathname.slice("/authorize/".length);
}

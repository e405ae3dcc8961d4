import { createHash, randomUUID } from "node:crypto";

interface Code {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string;
  readonly scope: string;
}

interface Grant {
  readonly scope: string;
  access: string;
  refresh: string;
  alive: boolean;
}

/** The upstream's own authorization server: code with PKCE, resource indicators, refresh tokens that rotate strictly. */
export class UpstreamOAuth {
  readonly origin: string;
  readonly resource: string;
  accessLifeS = 3600;
  /** How often a refresh token was exchanged, and how often one was shown a second time. */
  refreshed = 0;
  reused = 0;
  registrations = 0;
  announcesIss = true;
  revocationStatus = 200;
  /** Put in place of its own name in the answer to the browser. */
  saysIss: string | undefined;
  metadata: Readonly<Record<string, unknown>> = {};
  resourceMetadata: Readonly<Record<string, unknown>> = {};
  /** Awaited before a refresh is answered. */
  beforeRefresh: () => Promise<void> = async () => {};
  readonly asked: URLSearchParams[] = [];
  readonly #clients = new Map<string, readonly string[]>();
  readonly #codes = new Map<string, Code>();
  readonly #grants: Grant[] = [];

  constructor(origin: string, resource: string) {
    this.origin = origin;
    this.resource = resource;
  }

  /** Every token that this server has given out. */
  tokens(): string[] {
    return this.#grants.flatMap(({ access, refresh }) => [access, refresh]);
  }

  /** How many of its sign-ins stand. */
  alive(): number {
    return this.#grants.filter(({ alive }) => alive).length;
  }

  revokeAccess(): void {
    for (const grant of this.#grants) grant.access = `gone_${randomUUID()}`;
  }

  revokeAll(): void {
    for (const grant of this.#grants) grant.alive = false;
  }

  /** The scopes of a token; undefined when it is none of ours or ended. */
  scopesOf(token: string): readonly string[] | undefined {
    return this.#grants.find((grant) => grant.alive && grant.access === token)?.scope.split(" ");
  }

  async answer(request: Request): Promise<Response | undefined> {
    const url = new URL(request.url);
    if (url.pathname === "/.well-known/oauth-protected-resource/mcp")
      return Response.json({
        resource: this.resource,
        authorization_servers: [this.origin],
        scopes_supported: ["shop"],
        bearer_methods_supported: ["header"],
        ...this.resourceMetadata,
      });
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return Response.json({
        issuer: this.origin,
        authorization_endpoint: `${this.origin}/authorize`,
        token_endpoint: `${this.origin}/token`,
        registration_endpoint: `${this.origin}/register`,
        revocation_endpoint: `${this.origin}/revoke`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: this.announcesIss,
        ...this.metadata,
      });
    if (url.pathname === "/register") {
      this.registrations++;
      const asked = (await request.json()) as { redirect_uris: string[] };
      const clientId = `client_${randomUUID()}`;
      this.#clients.set(clientId, asked.redirect_uris);
      return Response.json({ ...asked, client_id: clientId }, { status: 201 });
    }
    if (url.pathname === "/revoke") {
      const form = new URLSearchParams(await request.text());
      const grant = this.#grants.find((one) => one.refresh === form.get("token"));
      if (grant !== undefined && this.#clients.has(form.get("client_id") ?? "")) grant.alive = false;
      return new Response(null, { status: this.revocationStatus });
    }
    if (url.pathname === "/authorize") return this.#authorize(url.searchParams);
    if (url.pathname === "/token") return this.#token(new URLSearchParams(await request.text()));
    return undefined;
  }

  /** Its customer is signed in there and agrees at once. */
  #authorize(query: URLSearchParams): Response {
    this.asked.push(query);
    const get = (name: string) => query.get(name) ?? "";
    if (this.#clients.get(get("client_id"))?.includes(get("redirect_uri")) !== true)
      return new Response("unknown client", { status: 400 });
    if (get("code_challenge_method") !== "S256" || get("resource") !== this.resource)
      return new Response("bad request", { status: 400 });
    const code = `code_${randomUUID()}`;
    this.#codes.set(code, {
      clientId: get("client_id"),
      redirectUri: get("redirect_uri"),
      challenge: get("code_challenge"),
      resource: get("resource"),
      scope: get("scope"),
    });
    const back = new URL(get("redirect_uri"));
    back.searchParams.set("code", code);
    back.searchParams.set("state", get("state"));
    if (this.announcesIss) back.searchParams.set("iss", this.saysIss ?? this.origin);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async #token(form: URLSearchParams): Promise<Response> {
    const refuse = (error: string) => Response.json({ error }, { status: 400 });
    if (form.get("resource") !== this.resource) return refuse("invalid_target");
    if (form.get("grant_type") === "refresh_token") {
      await this.beforeRefresh();
      const shown = form.get("refresh_token") ?? "";
      const grant = this.#grants.find((one) => one.refresh === shown);
      if (grant === undefined) {
        this.reused++;
        return refuse("invalid_grant");
      }
      if (!grant.alive) return refuse("invalid_grant");
      this.refreshed++;
      grant.access = `up_access_${randomUUID()}`;
      grant.refresh = `up_refresh_${randomUUID()}`;
      return this.#given(grant);
    }
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code === undefined || code.challenge !== proof || code.clientId !== form.get("client_id"))
      return refuse("invalid_grant");
    if (code.redirectUri !== form.get("redirect_uri")) return refuse("invalid_grant");
    const grant = {
      scope: code.scope,
      access: `up_access_${randomUUID()}`,
      refresh: `up_refresh_${randomUUID()}`,
      alive: true,
    };
    this.#grants.push(grant);
    return this.#given(grant);
  }

  #given(grant: Grant): Response {
    return Response.json({
      access_token: grant.access,
      refresh_token: grant.refresh,
      token_type: "Bearer",
      expires_in: this.accessLifeS,
      scope: grant.scope,
    });
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { GatewayOptions } from "@countersign/gateway";
import { assert, secret } from "@countersign/wire";
import * as oidc from "oidc-provider";

const CLIENT_ID = "countersign";
const CLIENT_SECRET = "the-secret-that-the-outside-provider-knows";

interface Interactions {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}
interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
  };
}

/** A real OpenID provider that signs everybody in as `subject` without asking. */
export interface OutsideProvider {
  readonly setting: NonNullable<GatewayOptions["openid"]>;
  subject: string;
  /** From then on it knows where the gateway is. */
  serve(gatewayIssuer: string): void;
  /** As a browser goes there and comes back: the parameters that it brings. */
  visit(url: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

export async function startOutsideProvider(
  allowed: NonNullable<GatewayOptions["openid"]>["allowed"] = [{ subject: "alex" }],
): Promise<OutsideProvider> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    if (handle === undefined) response.writeHead(503).end();
    else handle(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const issuer = `http://127.0.0.1:${address.port}`;
  let callback = "";
  const outside: OutsideProvider = {
    setting: { issuer, clientId: CLIENT_ID, clientSecret: secret(CLIENT_SECRET), title: "Acme ID", allowed },
    subject: "alex",
    serve(gatewayIssuer) {
      callback = `${gatewayIssuer}/outside-sign-in`;
      const Provider = oidc.Provider as unknown as new (issuer: string, configuration: object) => Interactions;
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT_ID,
            client_secret: CLIENT_SECRET,
            redirect_uris: [callback],
            response_types: ["code"],
            grant_types: ["authorization_code"],
            id_token_signed_response_alg: "RS256",
          },
        ],
        features: { devInteractions: { enabled: false } },
        interactions: { url: () => "/interaction" },
        pkce: { required: () => true },
        findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
        loadExistingGrant: async (context: GrantContext) => {
          const { client, session, provider: own } = context.oidc;
          const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
          grant.addOIDCScope("openid");
          await grant.save();
          return grant;
        },
      });
      const usual = provider.callback();
      handle = (request, response) => {
        if (request.url !== "/interaction") return usual(request, response);
        const result = { login: { accountId: outside.subject } };
        void provider.interactionFinished(request, response, result).catch(() => response.writeHead(500).end());
      };
    },
    async visit(url) {
      const cookies = new Map<string, string>();
      let next = url;
      for (let hops = 0; hops < 10; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await fetch(next, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ""] = line.split(";");
          cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
        }
        const to = answer.headers.get("location");
        assert(to !== null, `the provider leads on: ${answer.status} ${await answer.text()}`);
        next = new URL(to, next).href;
        if (next.startsWith(callback)) return new URL(next).searchParams;
      }
      throw new Error("the provider never came back");
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return outside;
}

/**
 * What any agent of somebody else's does first: it is told an address and nothing else, and speaks plain HTTP with what
 * Node has. What a person must do it writes as a line of JSON; what became of it, too.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

export type Json = Record<string, unknown>;

export const say = (line: Json) => process.stdout.write(`${JSON.stringify(line)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
export const told = async () => JSON.parse(String((await lines.next()).value)) as Json;
export const fail = (why: string): never => {
  say({ failed: why });
  process.exit(1);
};
export const read = async (url: string) => (await (await fetch(url)).json()) as Json;

/** From a door that is shut to a token for it: 401, discovery, its own document, the person's yes. */
export async function tokenFor(door: string): Promise<string> {
  // The agent's own place: its metadata document, and where the person's browser comes back to.
  const back: { arrived: (url: URL) => void } = { arrived: () => {} };
  const site = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (url.pathname === "/callback") {
      back.arrived(url);
      response.end("You can close this window.");
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ client_id: clientId, client_name: "Errand of a stranger", redirect_uris: [redirect] }),
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const clientId = `http://localhost:${port}/client.json`;
  const redirect = `http://127.0.0.1:${port}/callback`;

  // 401, and from there to where tokens are had (RFC 9728, RFC 8414).
  const refused = await fetch(door, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
  if (refused.status !== 401 || metadata === undefined) fail("no way to a token");
  const resource = await read(String(metadata));
  const [issuer] = resource["authorization_servers"] as string[];
  const server = await read(`${issuer}/.well-known/oauth-authorization-server`);

  // The person's yes: authorization code, PKCE, for this resource alone.
  const verifier = randomBytes(32).toString("base64url");
  const state = randomUUID();
  const ask = new URL(String(server["authorization_endpoint"]));
  for (const [name, value] of Object.entries({
    client_id: clientId,
    redirect_uri: redirect,
    response_type: "code",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state,
    resource: String(resource["resource"]),
  }))
    ask.searchParams.set(name, value);
  const arrival = new Promise<URL>((resolve) => {
    back.arrived = resolve;
  });
  say({ open: ask.href });
  const came = (await arrival).searchParams;
  if (came.get("state") !== state || came.get("iss") !== issuer) fail("another one's answer");
  const tokens = (await (
    await fetch(String(server["token_endpoint"]), {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: String(came.get("code")),
        redirect_uri: redirect,
        client_id: clientId,
        code_verifier: verifier,
        resource: String(resource["resource"]),
      }),
    })
  ).json()) as Json;
  return String(tokens["access_token"]);
}

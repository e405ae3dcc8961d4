import { createServer } from "node:http";
import { assert } from "@countersign/wire";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/**
 * What the gateway sees of the operator's own authorization server: its metadata, its keys, and tokens, each of which
 * can be wrong in one thing. How somebody gets one there is that server's matter.
 */
export interface OutsideIssuer {
  readonly issuer: string;
  /** How often its keys were fetched. */
  readonly looks: () => number;
  up: boolean;
  /** A new signing key; the old one is gone. */
  rotate(): Promise<void>;
  token(claims: JWTPayload, header?: { readonly typ?: string; readonly alg?: "ES256" | "HS256" }): Promise<string>;
  close(): Promise<void>;
}

export async function startOutsideIssuer(): Promise<OutsideIssuer> {
  let pair = await generateKeyPair("ES256", { extractable: true });
  let kid = "one";
  let looks = 0;
  const server = createServer((request, response) => {
    void answer(request.url ?? "").then(
      (body) => response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const issuer = `http://127.0.0.1:${address.port}`;
  const answer = async (path: string): Promise<string | undefined> => {
    if (!outside.up) throw new Error("down");
    if (path === "/.well-known/oauth-authorization-server")
      return JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ["code"] });
    if (path !== "/keys") return undefined;
    looks += 1;
    return JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: "ES256", use: "sig" }] });
  };
  const outside: OutsideIssuer = {
    issuer,
    looks: () => looks,
    up: true,
    async rotate() {
      pair = await generateKeyPair("ES256", { extractable: true });
      kid = `${kid}+`;
    },
    token: (claims, { typ = "at+jwt", alg = "ES256" } = {}) => {
      const jwt = new SignJWT(claims).setProtectedHeader({ alg, kid, typ });
      return jwt.sign(alg === "HS256" ? new TextEncoder().encode("x".repeat(32)) : pair.privateKey);
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return outside;
}

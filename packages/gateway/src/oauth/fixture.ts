import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Log, LogFields } from "@countersign/plugin";
import { assert, secret } from "@countersign/wire";
import { openEmbedded } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import { createSealer, type Sealer } from "../vault/seal.ts";
import { type AgentPrincipal, createOAuth, type OAuth } from "./oauth.ts";

// What the tests of this folder share; nothing outside tests imports it.

export const ISSUER = "http://localhost:4600";
export const RESOURCE = `${ISSUER}/v1`;

export const ANNA_AGENT: AgentPrincipal = {
  clientId: "agt_anna",
  personId: "per_anna",
  tenantId: "ten_one",
  pseudonym: "psn_anna",
};
export const BORIS_AGENT: AgentPrincipal = {
  clientId: "agt_boris",
  personId: "per_boris",
  tenantId: "ten_two",
  pseudonym: "psn_boris",
};

export interface Fixture {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly oauth: OAuth;
  readonly clock: { now: number };
  readonly logLines: string[];
  mint(agent: AgentPrincipal): Promise<{ readonly refreshToken: string; readonly grantId: string }>;
  redeem(refreshToken: string, clientId: string, extra?: Readonly<Record<string, string>>): Promise<Answer>;
  call(options: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** A store with two tenants, an accepted agent each, and the authorization server on a loopback port. */
export async function fixture(dataDir = ":memory:"): Promise<Fixture> {
  const clock = { now: Date.UTC(2031, 4, 1, 12) };
  const store = await openEmbedded(dataDir);
  const sealer = createSealer(secret(Uint8Array.from(randomBytes(32))));
  const logLines: string[] = [];
  for (const agent of [ANNA_AGENT, BORIS_AGENT]) await seed(store, agent, clock.now);
  const log = recorder(logLines);
  const oauth = await createOAuth({ store, sealer, issuer: ISSUER, resource: RESOURCE, now: () => clock.now, log });
  const server = await listen(await oauth.handler());
  const call = (options: CallOptions) => send(server.port, options);
  return {
    store,
    sealer,
    oauth,
    clock,
    logLines,
    call,
    async mint(agent) {
      const mint = await oauth.minter();
      const made = await store.transaction((tx) => mint(tx, agent));
      return { grantId: made.grantId, refreshToken: made.refreshToken.reveal() };
    },
    redeem: (refreshToken, clientId, extra = {}) =>
      call({
        method: "POST",
        path: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          grant_type: "refresh_token",
          client_id: clientId,
          refresh_token: refreshToken,
          ...extra,
        }).toString(),
      }),
    async close() {
      await server.close();
      await store.close();
    },
  };
}

async function seed(store: Store, agent: AgentPrincipal, at: number): Promise<void> {
  const { tenantId: tenant_id, personId: person_id, clientId: client_id, pseudonym } = agent;
  await store.db.insertInto("tenant").values({ tenant_id, name: tenant_id, created_at: at }).execute();
  await store.db
    .insertInto("person")
    .values({ person_id, tenant_id, name: person_id, pseudonym, created_at: at })
    .execute();
  await store.db
    .insertInto("agent")
    .values({
      client_id,
      tenant_id,
      person_id,
      name: "Shopping agent",
      state: "accepted",
      grant_id: null,
      created_at: at,
      decided_at: at,
    })
    .execute();
}

export function recorder(lines: string[]): Log {
  const at = (level: string) => (event: string, fields?: LogFields) => {
    lines.push(`${level} ${event} ${JSON.stringify(fields ?? {})}`);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export async function listen(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(typeof address === "object" && address !== null, "a listening server has an address");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** `node:http` and not `fetch`: tests set Host and odd request targets. */
export function send(port: number, options: CallOptions): Promise<Answer> {
  const { method = "GET", path, headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const req = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    req.on("error", reject);
    req.end(body);
  });
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

export function tokensOf(answer: Answer): Tokens {
  assert(answer.status === 200, `a token answer, not ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as Tokens;
}

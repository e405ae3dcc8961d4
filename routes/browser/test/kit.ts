import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  AccountIdentity,
  Ctx,
  Destination,
  LiveSignIn,
  Log,
  OpenSession,
  PersonId,
  RequestPattern,
  Route,
  SignInTries,
  TenantId,
} from "@countersign/plugin";
import { assert, ok, type Secret, secret } from "@countersign/wire";
import {
  type BrowserRouteOptions,
  type BrowserSession,
  type BrowserSite,
  createBrowserRoute,
  findChromium,
} from "../src/index.ts";

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly seen: Seen[];
  /** Requests of a method to a path, whatever their query. */
  count(method: string, path: string): number;
  close(): Promise<void>;
}

export type Handler = (request: Seen, response: ServerResponse) => void;

export async function startServer(handler: Handler): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(parts) };
      seen.push(request);
      response.setHeader("content-type", "text/html");
      handler(request, response);
    });
  });
  server.on("upgrade", (incoming, socket) => {
    seen.push({ method: "UPGRADE", url: incoming.url ?? "", headers: incoming.headers, body: Buffer.alloc(0) });
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address && typeof address === "object", "a port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    seen,
    count: (method, path) => seen.filter((each) => each.method === method && each.url.split("?")[0] === path).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface TestLog extends Log {
  readonly lines: string[];
}

export function testLog(): TestLog {
  const lines: string[] = [];
  const add = (event: string, fields?: object) => {
    lines.push(JSON.stringify({ event, ...fields }));
  };
  return { lines, debug: add, info: add, warn: add, error: add };
}

export function testCtx(person: string, log: Log): Ctx {
  // Only what a route may use of a context; anything else would be a mistake and fails loudly.
  return { tenant: "t" as TenantId, person: person as PersonId, log } as unknown as Ctx;
}

export interface DestinationOptions {
  readonly commits?: readonly RequestPattern[];
  readonly alsoOrigins?: readonly string[];
  readonly signInPath?: string;
  identify?(session: BrowserSession): Promise<AccountIdentity | undefined>;
}

export function testDestination(origin: string, options: DestinationOptions = {}): Destination {
  const entry: BrowserSite = {
    route: "browser",
    signIn: { path: options.signInPath ?? "/" },
    identify: async (_ctx, session) => options.identify?.(session),
    operations: [],
  };
  return {
    id: "site",
    title: "Site",
    origin,
    alsoOrigins: options.alsoOrigins ?? [],
    entry: entry as unknown as Destination["entry"],
    commits: options.commits ?? [],
  };
}

export interface TestRoute {
  readonly route: Route;
  readonly asked: string[];
  stop(): Promise<void>;
}

export function testRoute(options: Partial<BrowserRouteOptions> = {}): TestRoute {
  const found = findChromium(process.env);
  assert(found.ok, "these tests need Chromium");
  const root = mkdtempSync(join(tmpdir(), "countersign-browser-"));
  const asked: string[] = [];
  const route = createBrowserRoute({
    executablePath: found.value,
    sandbox: process.getuid?.() === 0 ? "off" : "on",
    profileRoot: root,
    resolve: async (host, port) => {
      asked.push(`${host}:${port}`);
      return ok({ address: "127.0.0.1", family: 4 });
    },
    ...options,
  });
  return {
    route,
    asked,
    stop: async () => {
      await route.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export const NO_STATE: Secret<string> = secret(JSON.stringify({ v: 1, storageState: { cookies: [], origins: [] } }));

export async function opened(
  route: Route,
  ctx: Ctx,
  destination: Destination,
  material: Secret<string> = NO_STATE,
): Promise<{ open: OpenSession; session: BrowserSession }> {
  const result = await route.open(ctx, destination, material);
  assert(result.ok, "the session opens");
  return { open: result.value, session: result.value.session as BrowserSession };
}

/** As many tries as anybody wants. */
export const FREE_TRIES: SignInTries = { take: async () => ({ kind: "go", left: 9 }) };

export async function signingIn(
  route: Route,
  ctx: Ctx,
  destination: Destination,
  tries: SignInTries = FREE_TRIES,
): Promise<LiveSignIn> {
  const result = await route.beginSignIn(ctx, destination, tries);
  assert(result.ok && result.value.mode === "live", "the live view opens");
  return result.value;
}

/** Looks again until something holds; the page decides when. Fails after twenty seconds. */
export async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await what())) {
    assert(Date.now() < end, "what was waited for did not happen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
